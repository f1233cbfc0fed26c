/** Why a reply is not sent on. */
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

/** Ends the work on a reply that cannot be made safe. */
export class RefusedPart extends Error {
  readonly refusal: ReplyRefusal
  constructor(refusal: ReplyRefusal) {
    super(refusal)
    this.refusal = refusal
  }
}

/** What the person's mail server is told, and shows: one line of ASCII, the same for everybody. */
export const replyRefusals: Record<ReplyRefusal, string> = {
  pgp: 'Not sent: the message is encrypted with OpenPGP, so nobody can check that it keeps your address hidden. Please reply without encryption.',
  smime:
    'Not sent: the message is encrypted with S/MIME, so nobody can check that it keeps your address hidden. Please reply without encryption.',
  calendar:
    'Not sent: the calendar entry in the message could not be read, so it could show your address. Please reply in words.',
  attached_message:
    'Not sent: an attached Outlook item, mailbox or piece of a message cannot be searched for your address. Please attach the message as an .eml file, or copy its text.',
  winmail:
    'Not sent: the winmail.dat of the message cannot be searched for your address. Please reply in HTML or plain text.',
  packed:
    'Not sent: an attached file is encrypted, very large, or packed in a way we cannot look through, so it could hide your address. Please attach it another way.',
  unreadable:
    'Not sent: the message could not be read well enough to keep your address hidden. Please reply in plain text.',
  leak: 'Not sent: your address, or a folder named like it, is still somewhere in the message, perhaps in an attached file. Please remove it.',
  unknown_message:
    'Not sent: the message you answer came too long ago, or could not be read here. Please write a new message to this address, without the old one.',
}
