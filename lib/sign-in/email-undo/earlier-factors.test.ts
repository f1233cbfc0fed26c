import { describe, expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { checkRegistration, registrationOptions } from '#lib/sign-in/passkey/passkey'
import { hashRecoveryCodes, makeRecoveryCodes } from '#lib/sign-in/recovery-codes/recovery-code'
import { openAddressChanges } from '#lib/testing/browser/address-change'
import { makeAuthenticator } from '#lib/testing/browser/authenticator'
import { openBrowser } from '#lib/testing/browser/browser'
import { askOptions, giveTotp } from '#lib/testing/browser/people'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'

describe.each(kinds)('the factors of an undo on %s', (kind) => {
  const postern = sharePostern({ kind })
  const { newPerson, change, keyFor, undo } = openAddressChanges(postern)
  const at = () => postern.context

  const makeCodes = async (personId: string) => {
    const codes = makeRecoveryCodes(at().random)
    await at().factors.replaceRecoveryCodes(personId, await hashRecoveryCodes(codes), at().now())
    return codes
  }
  const makePasskey = async (personId: string, username: string) => {
    const { context } = postern
    const passkey = makeAuthenticator()
    const challenge = context.random(32).toString('base64url')
    const options = await registrationOptions(context.config, challenge, { personId, username, known: [] })
    const made = await checkRegistration(context.config, challenge, passkey.create(options as never))
    if (!made) throw new Error('The test’s passkey was refused.')
    await context.factors.addPasskey(personId, { ...made, name: 'Test' }, context.now())
    return passkey
  }
  /** Posts the form of the link with a passkey, in a browser of its own. */
  const undoBy = async (passkey: ReturnType<typeof makeAuthenticator>, key: string) => {
    const browser = openBrowser(at())
    const { options, state } = await askOptions(at(), browser, { use: 'signin' })
    const send = async () => {
      await browser.post('/undo-email/submit', { key, state, credential: passkey.get(options) })
      const flash = await readFlash(at(), browser.cookies(), 'undo-email')
      return flash?.done ?? flash?.problems.map(({ code }) => code).join()
    }
    return { said: await send(), again: send, session: await browser.shownSession() }
  }

  it('takes a code of an authenticator app from before the change', async () => {
    const person = await newPerson()
    const showCode = await giveTotp(at(), person.personId)
    postern.later(60)
    await change(person, `new-${person.old}`)
    const key = (await keyFor(person.old)) ?? ''
    expect(await undo(person, { key, by: 'code', code: '000000' })).toBe('code_wrong')
    expect(await undo(person, { key, by: 'code', code: await showCode() })).toBe('undone')
  })

  it('takes a recovery code from before the change, once', async () => {
    const person = await newPerson()
    const [code = ''] = await makeCodes(person.personId)
    postern.later(60)
    await change(person, `new-${person.old}`)
    const fields = { key: (await keyFor(person.old)) ?? '', by: 'code', code: ` ${code.toUpperCase()} ` }
    const said = await Promise.all(Array.from({ length: 4 }, () => undo(person, fields)))
    expect(said.filter((one) => one === 'undone')).toHaveLength(1)
    expect((await person.activity()).filter((event) => event.kind === 'recovery_code_used')).toHaveLength(1)
  })

  it('refuses an authenticator app and recovery codes from after the change', async () => {
    const person = await newPerson()
    await makeCodes(person.personId)
    postern.later(60)
    await change(person, `new-${person.old}`)
    const [code = ''] = await makeCodes(person.personId)
    const showCode = await giveTotp(at(), person.personId)
    const key = (await keyFor(person.old)) ?? ''
    expect(await undo(person, { key, by: 'code', code })).toBe('too_new')
    expect((await at().factors.ways(person.personId)).codes?.left).toBe(10)
    expect(await undo(person, { key, by: 'code', code: await showCode() })).toBe('too_new')
    expect((await person.stored()).email).toBe(`new-${person.old}`)
  })

  it('takes a passkey from before the change, once, and signs no one in', async () => {
    const person = await newPerson()
    const passkey = await makePasskey(person.personId, person.username)
    postern.later(60)
    await change(person, `new-${person.old}`)
    const { said, again, session } = await undoBy(passkey, (await keyFor(person.old)) ?? '')
    expect([said, session]).toEqual(['undone', undefined])
    expect(await again()).toBe('over')
  })

  it('refuses a passkey from after the change, and one of another person', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const foreign = await makePasskey(other.personId, other.username)
    postern.later(60)
    await change(person, `new-${person.old}`)
    const late = await makePasskey(person.personId, person.username)
    const key = (await keyFor(person.old)) ?? ''
    expect((await undoBy(late, key)).said).toBe('too_new')
    expect((await undoBy(foreign, key)).said).toBe('passkey_unknown')
    expect((await person.stored()).email).toBe(`new-${person.old}`)
  })
})
