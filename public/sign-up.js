// Says while a username is typed whether it can be had; the same is said when the form is sent.
{
  const input = document.querySelector('input[name=username]')
  const status = document.querySelector('[data-name-status]')
  const texts = JSON.parse(status?.dataset.texts ?? '{}')
  let timer
  input?.addEventListener('input', look)
  // Fast hands type before this script is here; a name the server has spoken of is answered beside the field.
  const refused = input?.getAttribute('aria-invalid') === 'true' ? input.defaultValue : undefined
  if (input?.value && input.value !== refused) look()

  function look() {
    clearTimeout(timer)
    status.textContent = ''
    delete status.dataset.answer
    if (input.value.trim().length >= 3) timer = setTimeout(() => void check(), 450)
  }

  async function check() {
    const typed = input.value
    const answer = await fetch(`/signup/check?${new URLSearchParams({ username: typed })}`).catch(() => undefined)
    if (!answer?.ok) return
    const { problem } = await answer.json()
    // Somebody who types on is answered for what they typed last.
    if (typed !== input.value) return
    status.textContent = texts[problem ?? 'free'] ?? ''
    status.dataset.answer = problem ? 'taken' : 'free'
    if (!problem) input.dispatchEvent(new Event('forgive', { bubbles: true }))
  }
}
