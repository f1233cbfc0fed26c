import { alertWords, type EventFacts, factsOf, type Owner, type Recipient, type Send } from './letter-words.ts'

/** The link that undoes a change of the address, and the time until which it works. */
type Undo = { link: string; until: Date }
type Change = Owner & EventFacts & { undo: Undo | undefined }

/** The letters about the bound address. */
export const addressLetters = (send: Send) => {
  /** To the previous address. With an undo, the button undoes the change instead of leading to the account. */
  const left = (name: 'addressChanged' | 'addressRemoved') => (owner: Change) =>
    send(owner, name, (format) => {
      const { texts, fill, time } = format
      const all = alertWords(format, owner, texts[name], { facts: factsOf(owner) })
      if (!owner.undo) return all
      const { offer, notYou, action } = texts.undoAddress
      const until = time(owner.undo.until)
      return {
        ...all,
        paragraphs: [...all.paragraphs, fill(offer, { until })],
        warning: fill(notYou),
        action: { label: fill(action), url: owner.undo.link },
      }
    })
  const alert = (name: 'addressRestored' | 'addressReplaced') => (owner: Owner & EventFacts) =>
    send(owner, name, (format) => alertWords(format, owner, format.texts[name], { facts: factsOf(owner) }))
  return {
    addressChanged: left('addressChanged'),
    addressRemoved: left('addressRemoved'),
    /** To an address that an undo bound again. */
    addressRestored: alert('addressRestored'),
    /** To the address that an undo took off the account. */
    addressReplaced: alert('addressReplaced'),
    /** To an address that another account can take back. Its reader may be a stranger, so the letter names no account. */
    addressReserved: (to: Recipient & { days: number }) =>
      send(to, 'addressReserved', ({ texts: { addressReserved: own, automatic }, fill }) => ({
        subject: fill(own.subject),
        heading: fill(own.heading),
        paragraphs: [fill(own.what, { days: String(to.days) })],
        warning: fill(own.notYou),
        small: [fill(automatic)],
      })),
  }
}
