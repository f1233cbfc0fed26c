/** The reason for refusing a reply. */
export type ReplyRefusal =
  | 'pgp'
  | 'smime'
  | 'calendar'
  | 'attached_message'
  | 'winmail'
  | 'packed'
  | 'unreadable'
  | 'leak'
  | 'unknown_message'

/** Thrown when part of a reply cannot be made safe. */
export class RefusedPart extends Error {
  readonly refusal: ReplyRefusal
  constructor(refusal: ReplyRefusal) {
    super(refusal)
    this.refusal = refusal
  }
}

/**
 * The text of the SMTP reply for each reason, which the person's mail server shows. Each text is one line of ASCII
 * and the same for every person.
 */
export const replyRefusals: Record<ReplyRefusal, string> = {
  pgp: 'Not sent: the message is encrypted with OpenPGP, so it cannot be checked for your address. Reply without encryption.',
  smime:
    'Not sent: the message is encrypted with S/MIME, so it cannot be checked for your address. Reply without encryption.',
  calendar:
    'Not sent: the calendar entry in the message could not be read, so it cannot be checked for your address. Reply in plain text.',
  attached_message:
    'Not sent: an attached Outlook item, mailbox or partial message cannot be checked for your address. Attach the message as an .eml file, or copy its text.',
  winmail: 'Not sent: the attached winmail.dat cannot be checked for your address. Reply in HTML or plain text.',
  packed:
    'Not sent: an attached file is encrypted, very large, or in an archive that cannot be checked for your address. Attach it in another format.',
  unreadable: 'Not sent: the message could not be read well enough to hide your address. Reply in plain text.',
  leak: 'Not sent: your address, a folder named after it, or an address from the message you answer is still in the message or an attached file. Remove it and send the reply again.',
  unknown_message:
    'Not sent: the message you are replying to is too old or could not be read. Write a new message to this address without quoting the old one.',
}
