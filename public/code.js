// The last digit of a code sends it, unless it was sent before: each wrong code uses up an attempt.
for (const field of document.querySelectorAll('input[data-six-digits]')) {
  const isWrong = field.getAttribute('aria-invalid') === 'true'
  // A browser that allows no storage stops here after a wrong code, and leaves the sending to the button.
  const sent = isWrong ? JSON.parse(sessionStorage.getItem('sent codes') ?? '[]') : []
  const digits = () => /^\s*(\d{3})[\s-]?(\d{3})\s*$/.exec(field.value)?.slice(1).join('')
  // Enter would press the same button, which then says that it is busy.
  const button = field.form.querySelector('button[type=submit]')
  field.addEventListener('input', () => digits() && !sent.includes(digits()) && field.form.requestSubmit(button))
  field.form.addEventListener('submit', () => {
    if (digits()) sessionStorage.setItem('sent codes', JSON.stringify([...sent, digits()]))
  })
}
