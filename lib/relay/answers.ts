/**
 * SMTP replies of the relay: fixed texts that contain no names and never repeat the reply of the next mail server
 * (relay §4).
 */
export type Answer = { code: number; text: string }

export const answers = {
  taken: { code: 250, text: '2.0.0 Accepted' },
  notOurs: { code: 550, text: '5.7.1 Relaying denied' },
  unknown: { code: 550, text: '5.1.1 This address does not exist' },
  closed: { code: 550, text: '5.2.1 This address does not accept mail' },
  unreachable: { code: 450, text: '4.2.1 This address cannot receive mail at the moment, try again later' },
  tooMany: { code: 450, text: '4.7.1 Too many messages, try again later' },
  tooManyUnknown: { code: 421, text: '4.7.0 Too many unknown addresses, try again later' },
  tooManyConnections: { code: 421, text: '4.7.0 Too many connections, try again later' },
  oneAtATime: { code: 452, text: '4.5.3 One recipient per transaction: send the message again for this one' },
  tooLarge: { code: 552, text: '5.3.4 The message is too large' },
  malformed: { code: 550, text: '5.6.0 The message is malformed' },
  loop: { code: 554, text: '5.4.6 The message is in a mail loop' },
  unauthenticated: { code: 550, text: '5.7.26 The sender could not be authenticated by SPF, DKIM and DMARC' },
  notRegistered: {
    code: 550,
    text: '5.7.1 The sending domain is not registered for this address: send from a registered domain',
  },
  lacksUtf8: { code: 554, text: '5.6.7 The next mail server does not support internationalized headers (SMTPUTF8)' },
  lacksSize: { code: 554, text: '5.3.4 The message is too large for the next mail server' },
  lacksEightBit: { code: 554, text: '5.6.3 The next mail server does not support 8-bit messages' },
  refused: { code: 550, text: '5.7.0 The next mail server rejected the message' },
  later: { code: 451, text: '4.3.0 The message cannot be delivered at the moment, try again later' },
  tooSlow: { code: 421, text: '4.4.2 The message arrived too slowly' },
  noCommand: { code: 421, text: '4.4.2 Timed out waiting for a command' },
  tooManyPieces: { code: 421, text: '4.7.0 The message arrives in too many small pieces' },
  unknownParameter: { code: 555, text: '5.5.4 This parameter is not supported' },
  closing: { code: 421, text: '4.3.2 Shutting down, try again later' },
  reportsOnly: { code: 550, text: '5.7.1 This address accepts delivery reports only' },
  noReports: { code: 550, text: '5.7.1 This address does not accept delivery reports' },
  notTheOwner: {
    code: 550,
    text: '5.7.1 Only the owner of the relay address can write here, from the e-mail address of the account',
  },
  tooManyReplies: { code: 450, text: '4.7.1 Too many replies today, try again tomorrow' },
} as const satisfies Record<string, Answer>
