// Shows new e-mails of the evaluation as they arrive; the focus stays where it is.
{
  const box = document.querySelector('[data-mailbox]')
  const status = document.querySelector('[data-new]')
  const hrefs = (part) => [...part.querySelectorAll('li a')].map((link) => link.getAttribute('href')).join()

  async function look() {
    if (document.hidden) return
    const answer = await fetch(location.href).catch(() => undefined)
    if (!answer?.ok) return
    const now = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-mailbox]')
    if (!now || hrefs(now) === hrefs(box)) return
    const focused = document.activeElement?.getAttribute('href')
    box.replaceChildren(...now.childNodes)
    if (focused) box.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true })
    status.textContent = status.dataset.new
  }

  setInterval(() => void look(), 3000)
}
