// Passkeys: asks us what to sign, the browser to sign it, and sends the answer with the form around the button.
{
  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '')
  const listed = (list) => list?.map((one) => ({ ...one, id: bytes(one.id) }))

  /** For browsers that cannot read our JSON themselves. */
  const read = (kind, given) =>
    PublicKeyCredential[`parse${kind}OptionsFromJSON`]?.(given) ?? {
      ...given,
      challenge: bytes(given.challenge),
      ...(given.user && { user: { ...given.user, id: bytes(given.user.id) } }),
      ...(given.allowCredentials && { allowCredentials: listed(given.allowCredentials) }),
      ...(given.excludeCredentials && { excludeCredentials: listed(given.excludeCredentials) }),
    }

  /** And those that cannot write it. */
  function write(credential) {
    if (credential.toJSON) return credential.toJSON()
    const { id, rawId, type, authenticatorAttachment, response: said } = credential
    const response = { clientDataJSON: text(said.clientDataJSON) }
    for (const name of ['attestationObject', 'authenticatorData', 'signature', 'userHandle'])
      if (said[name]) response[name] = text(said[name])
    if (said.getTransports) response.transports = said.getTransports()
    const clientExtensionResults = credential.getClientExtensionResults()
    return { id, rawId: text(rawId), type, authenticatorAttachment, clientExtensionResults, response }
  }

  let asking
  /** Asks the browser; `mediation` is `conditional` while it only offers passkeys where the name is typed. */
  async function ask(box, mediation) {
    const form = box.closest('form')
    asking?.abort()
    asking = new AbortController()
    const { signal } = asking
    const body = new URLSearchParams({ use: box.dataset.passkey, mine: box.dataset.mine ?? '' })
    for (const name of ['username', 'invitation']) body.set(name, form.elements[name]?.value ?? '')
    const answer = await fetch('/passkey/options', { method: 'POST', body, signal })
    const { options, state } = await answer.json()
    // What is wrong with the form is best said by its page.
    if (!options) return send(box, form, state, '-')
    const making = box.dataset.passkey !== 'signin'
    const publicKey = read(making ? 'Creation' : 'Request', options)
    const credential = await navigator.credentials[making ? 'create' : 'get']({ publicKey, mediation, signal })
    if (credential) send(box, form, state, JSON.stringify(write(credential)))
  }

  /** With the form, or, where passkeys have a form target of their own, without what was typed. */
  function send(box, form, state = '', credential) {
    const values = new FormData(form)
    values.set('state', state)
    values.set('credential', credential)
    const own = document.createElement('form')
    own.method = 'post'
    // A button called `action` hides the form's own.
    own.action = box.dataset.action ?? form.getAttribute('action')
    if (box.dataset.action) for (const typed of ['username', 'password']) values.delete(typed)
    for (const [name, value] of values)
      own.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
    document.body.append(own)
    own.submit()
  }

  const words = { NotAllowedError: 'cancelled', AbortError: 'cancelled', InvalidStateError: 'known' }

  function wake(box) {
    const [button, status] = [box.querySelector('button'), box.querySelector('[role=status]')]
    button.addEventListener('click', async () => {
      if (button.ariaDisabled) return
      button.ariaDisabled = 'true'
      status.textContent = box.dataset.busy
      try {
        await ask(box)
        status.textContent = ''
      } catch (fault) {
        status.textContent = box.dataset[words[fault.name] ?? 'failed']
        void offer(box)
      }
      button.ariaDisabled = null
    })
    box.hidden = false
    void offer(box)
    if (box.dataset.passkey === 'signin') void sayAbility(box.closest('form'))
  }

  /** The form says whether this browser can make passkeys, so that one is offered only where it can be made. */
  async function sayAbility(form) {
    if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable?.())) return
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'makes_passkeys', value: '1' }))
  }

  /** Where the browser can, it offers passkeys with the names it knows; asked anew before the challenge is too old. */
  async function offer(box) {
    if (box.dataset.passkey !== 'signin') return
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
    const again = setTimeout(() => void offer(box), 240_000)
    ask(box, 'conditional').catch(() => clearTimeout(again))
  }

  for (const box of document.querySelectorAll('[data-passkey]')) {
    if (globalThis.PublicKeyCredential) wake(box)
    else box.remove()
  }
  // A page that comes back with the back button asks anew.
  addEventListener('pageshow', (event) => {
    if (event.persisted) for (const box of document.querySelectorAll('[data-passkey]')) void offer(box)
  })
}
