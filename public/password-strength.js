// Says while a new password is typed how strong it is. Our server estimates it, and keeps nothing; the form checks again.
{
  const meter = document.querySelector('[data-strength-texts]')
  const input = document.querySelector('input[autocomplete="new-password"]')
  const status = meter?.querySelector('[role=status]')
  const texts = JSON.parse(meter?.dataset.strengthTexts ?? '{}')
  let timer
  let asking
  input?.addEventListener('input', look)
  if (input?.value) look()

  function look() {
    clearTimeout(timer)
    asking?.abort()
    if (input.value === '') return show(null)
    timer = setTimeout(() => void ask(), 300)
  }

  async function ask() {
    asking = new AbortController()
    const body = new URLSearchParams({ password: input.value, username: input.form.elements.username?.value ?? '' })
    try {
      const answer = await fetch('/password/strength', { method: 'POST', body, signal: asking.signal })
      show(answer.ok ? (await answer.json()).strength : null)
    } catch {
      // A later letter asks again.
    }
  }

  function show(strength) {
    meter.dataset.strength = strength ?? ''
    status.textContent = texts[strength] ?? ''
    // The form would accept this password.
    if (['weak', 'fair', 'good', 'strong'].includes(strength))
      input.dispatchEvent(new Event('forgive', { bubbles: true }))
  }
}
