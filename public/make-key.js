// Makes a key pair for an app. The public key goes into the form; the private one is only shown, and never sent.
{
  const box = document.querySelector('[data-make-key]')
  const field = document.querySelector('textarea[name=key]')
  const inBase64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  const inBase64Url = (bytes) => inBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

  /** Returns the thumbprint of a public key (RFC 7638), which names it. */
  async function thumbprint({ crv, kty, x, y }) {
    return inBase64Url(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify({ crv, kty, x, y }))),
    )
  }

  async function make() {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
    const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
    const { kty, crv, x, y, d } = await crypto.subtle.exportKey('jwk', pair.privateKey)
    const open = { kty, crv, x, y, kid: await thumbprint({ crv, kty, x, y }), alg: 'ES256', use: 'sig' }
    const pem = inBase64(await crypto.subtle.exportKey('pkcs8', pair.privateKey)).replace(/.{64}(?=.)/g, '$&\n')
    show(
      open,
      JSON.stringify({ ...open, d }, null, 2),
      `-----BEGIN PRIVATE KEY-----\n${pem}\n-----END PRIVATE KEY-----\n`,
    )
  }

  function show(open, jwk, pem) {
    field.value = JSON.stringify(open, null, 2)
    document.getElementById('private-jwk').textContent = jwk
    document.getElementById('private-pem').textContent = pem
    const link = box.querySelector('a[download]')
    URL.revokeObjectURL(link.href)
    link.href = URL.createObjectURL(new Blob([pem], { type: 'application/x-pem-file' }))
    link.download = `${open.kid}.pem`
    box.querySelector('[data-private]').hidden = false
    box.querySelector('[role=status]').textContent = box.dataset.ready
  }

  // Browsers offer WebCrypto on https and localhost alone.
  if (box && !globalThis.crypto?.subtle) box.hidden = true
  else if (box && field) {
    const button = box.querySelector('button[data-generate]')
    button.addEventListener('click', () => void make())
    button.disabled = false
  }
}
