import type { RefusedContent } from './refused-content.ts'

/** Why a reply is not sent on. */
export type ReplyRefusal = RefusedContent | 'other_recipients' | 'unreadable' | 'leak'

/** What the person's mail server is told, and shows: one line of ASCII, the same for everybody. */
export const replyRefusals: Record<ReplyRefusal, string> = {
  pgp: 'Not sent: an OpenPGP key, signature or encryption would show your address. Please reply without it.',
  smime: 'Not sent: an S/MIME signature, certificate or encryption would show your address. Please reply without it.',
  vcard: 'Not sent: a contact card would show your address. Please reply without it.',
  calendar: 'Not sent: an answer to an invitation would show your address. Please reply in words.',
  attached_message: 'Not sent: an attached message would show your address. Please copy its text instead.',
  winmail: 'Not sent: winmail.dat would show your address. Please reply in plain text or HTML.',
  uuencoded: 'Not sent: an attachment written into the text could show your address. Please attach it as a file.',
  packed:
    'Not sent: an attached file is encrypted, very large, or packed in a way we cannot look through, so it could hide your address. Please attach it another way.',
  other_recipients: 'Not sent: a reply goes to the app alone. Please remove the other recipients.',
  unreadable:
    'Not sent: the message could not be read well enough to keep your address hidden. Please reply in plain text.',
  leak: 'Not sent: your address is still somewhere in the message, perhaps in an attached file. Please remove it.',
}
