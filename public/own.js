// What works without script works better with it: each part finds its own elements by a data attribute.
const all = (selector) => document.querySelectorAll(selector)

/** Shows and hides what is typed into a password field. */
function passwordToggles() {
  for (const button of all('button[data-reveal]')) {
    const input = document.getElementById(button.dataset.reveal)
    const show = (shown) => {
      input.type = shown ? 'text' : 'password'
      button.textContent = shown ? button.dataset.hideText : button.dataset.showText
      button.setAttribute('aria-label', shown ? button.dataset.hideLabel : button.dataset.showLabel)
    }
    button.addEventListener('click', () => show(input.type === 'password'))
    // Browsers offer to save a password only from a field that is still one.
    input.form?.addEventListener('submit', () => show(false))
    button.hidden = false
  }
}

/** Copies a code and says so; stays hidden where the browser offers no clipboard. */
function copyButtons() {
  if (!navigator.clipboard) return
  for (const button of all('button[data-copy]')) {
    const label = button.querySelector('[data-label]')
    const status = button.parentElement.querySelector('[role=status]')
    const before = label.textContent
    let timer
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent)
      label.textContent = status.textContent = button.dataset.copied
      clearTimeout(timer)
      timer = setTimeout(() => {
        label.textContent = before
        status.textContent = ''
      }, 2500)
    })
    button.hidden = false
  }
}

/** Buttons that print the page. */
function printButtons() {
  for (const button of all('button[data-print]')) {
    button.addEventListener('click', () => print())
    button.hidden = false
  }
}

/** A form is sent once; its button says what is happening. A lost answer frees it again, a file after a second. */
function busyForms() {
  const free = (forms) => {
    for (const form of forms) {
      delete form.dataset.sent
      for (const button of form.querySelectorAll('button[data-before]')) {
        button.removeAttribute('aria-disabled')
        button.querySelector('[data-label]').textContent = button.dataset.before
        delete button.dataset.before
      }
    }
  }
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (form.method === 'dialog' || event.defaultPrevented) return
    if (form.dataset.sent !== undefined) return event.preventDefault()
    form.dataset.sent = ''
    const button = event.submitter
    if (button?.dataset.busy) {
      const label = button.querySelector('[data-label]')
      button.dataset.before = label.textContent
      label.textContent = button.dataset.busy
      button.setAttribute('aria-disabled', 'true')
    }
    // A download loads no new page, and no event says that it has arrived.
    setTimeout(free, form.dataset.file === undefined ? 15_000 : 1000, [form])
  })
  addEventListener('pageshow', (event) => event.persisted && free(all('form[data-sent]')))
}

/** A change of language or look keeps what was typed and ticked on the page; passwords, codes and files are left out. */
function keepTyped() {
  // A choice of language takes the app's wish out of the address.
  const here = new URL(location.href)
  here.searchParams.delete('ui_locales')
  const place = `typed ${here.pathname}${here.search}`
  const forms = [...all('form:not([data-keep-typed])')]
  const fields = forms.flatMap((form) => [...form.elements]).filter((field) => field.name && keeps(field))
  const kept = JSON.parse(sessionStorage.getItem(place) ?? '[]')
  sessionStorage.removeItem(place)
  for (const [at, [name, value, checked]] of kept.entries()) {
    const field = fields[at]
    // The page may have changed meanwhile: what does not fit is not filled in.
    if (field?.name !== name) continue
    if (!ticked(field)) field.value = value
    else if (field.value === value) field.checked = checked
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  for (const bar of all('form[data-keep-typed]')) {
    bar.addEventListener('submit', () => {
      const typed = fields.map(({ name, value, checked }) => [name, value, checked])
      sessionStorage.setItem(place, JSON.stringify(typed))
    })
  }
}
const ticked = ({ type }) => type === 'checkbox' || type === 'radio'
const keeps = ({ type, autocomplete }) =>
  !['password', 'file', 'hidden', 'submit', 'button', 'fieldset'].includes(type) &&
  !['off', 'one-time-code'].includes(autocomplete)

/** Opens and closes dialogs where the browser does not know `command` yet. */
function dialogs() {
  if ('commandForElement' in HTMLButtonElement.prototype) return
  for (const button of all('button[commandfor]')) {
    const dialog = document.getElementById(button.getAttribute('commandfor'))
    const opens = button.getAttribute('command') === 'show-modal'
    button.addEventListener('click', () => (opens ? dialog.showModal() : dialog.close()))
  }
}

/** Hides the problem that the form reported, once a script of the page finds the new value of the field right. */
function forgiveness() {
  document.addEventListener('forgive', ({ target: field }) => {
    const problem = document.getElementById(`${field.id}-problem`)
    if (!problem) return
    problem.hidden = true
    field.removeAttribute('aria-invalid')
    field.setAttribute('aria-describedby', field.getAttribute('aria-describedby').replace(problem.id, '').trim())
  })
}

/** Tells the server the time zone of the browser, in which it writes times. */
function timeZone() {
  const pair = `postern_zone=${Intl.DateTimeFormat().resolvedOptions().timeZone}`
  if (document.cookie.split('; ').includes(pair)) return
  // biome-ignore lint/suspicious/noDocumentCookie: Not every browser has the Cookie Store API.
  document.cookie = `${pair}; Path=/; Max-Age=31536000; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`
}

/** Brings the link of this page into view in a row that scrolls, where the browser does not do it itself. */
function currentLinks() {
  if (CSS.supports('scroll-initial-target', 'nearest')) return
  for (const link of all('nav li > [aria-current]')) {
    const row = link.closest('ul')
    row.scrollLeft = link.offsetLeft - row.offsetLeft - (row.clientWidth - link.offsetWidth) / 2
  }
}

passwordToggles()
currentLinks()
copyButtons()
printButtons()
busyForms()
dialogs()
forgiveness()
timeZone()
// One problem, or one summary of several, means that the page answers a form; more are only on show.
const summaries = all('[data-focus]')
const wrong = all('[aria-invalid=true], [data-wrong] input')
if (summaries.length === 1) summaries[0].focus()
else if (summaries.length === 0 && new Set([...wrong].map(({ name }) => name)).size === 1) wrong[0].focus()
// Last: a browser that allows no storage stops here.
keepTyped()
