// Says while redirect URIs are typed why one of them cannot be registered; the server says the same when the form is sent.
{
  const field = document.querySelector('textarea[name=redirect_uris]')
  const status = document.querySelector('[data-uri-status]')
  const { kind, good, line: lineText } = status?.dataset ?? {}
  let timer
  field?.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void check(), 450)
  })

  async function check() {
    const typed = field.value
    const locale = document.documentElement.lang
    const asked = new URLSearchParams({ kind, locale, uris: typed.slice(0, 8000) })
    const answer = await fetch(`/console/app/check-uris?${asked}`).catch(() => undefined)
    // A later answer is about what was typed last.
    if (!answer?.ok || typed !== field.value) return
    const { uris, problems } = await answer.json()
    const texts = problems.map(({ line, rule }) =>
      line > 0 ? lineText.replace('{line}', line).replace('{rule}', () => rule) : rule,
    )
    status.dataset.answer = texts.length > 0 ? 'refused' : 'good'
    status.replaceChildren(...(uris === 0 ? [] : texts.length > 0 ? texts : [good]).map(shown))
  }

  function shown(text) {
    const line = document.createElement('span')
    line.textContent = text
    return line
  }
}
