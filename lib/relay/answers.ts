/** What the relay says to a mail server: a fixed text that names nobody, and never what the next hop said (relay §4). */
export type Answer = { code: number; text: string }

export const answers = {
  taken: { code: 250, text: '2.0.0 Taken' },
  notOurs: { code: 550, text: '5.7.1 Relaying denied' },
  unknown: { code: 550, text: '5.1.1 There is no such address' },
  closed: { code: 550, text: '5.2.1 This address takes no mail' },
  unreachable: { code: 450, text: '4.2.1 This address takes no mail at the moment' },
  tooMany: { code: 450, text: '4.7.1 Too many messages, try again later' },
  tooManyUnknown: { code: 421, text: '4.7.0 Too many unknown addresses, try again later' },
  tooManyConnections: { code: 421, text: '4.7.0 Too many connections, try again later' },
  oneAtATime: { code: 452, text: '4.5.3 One recipient at a time: send the message again for this one' },
  tooLarge: { code: 552, text: '5.3.4 The message is too large' },
  malformed: { code: 550, text: '5.6.0 The message is malformed' },
  loop: { code: 554, text: '5.4.6 The message goes round in circles' },
  unauthenticated: { code: 550, text: '5.7.26 The sender could not be authenticated by SPF, DKIM and DMARC' },
  notRegistered: { code: 550, text: '5.7.1 The sender is not of a domain registered for this address' },
  lacksUtf8: { code: 554, text: '5.6.7 The next mail server cannot take internationalised headers' },
  lacksSize: { code: 554, text: '5.3.4 The next mail server takes no message of this size' },
  lacksEightBit: { code: 554, text: '5.6.3 The next mail server takes no 8-bit messages' },
  refused: { code: 550, text: '5.7.0 The message was refused further on' },
  later: { code: 451, text: '4.3.0 Not possible at the moment, try again later' },
  tooSlow: { code: 421, text: '4.4.2 The message took too long to come in' },
  tooManyPieces: { code: 421, text: '4.7.0 The message comes in too many small pieces' },
  unknownParameter: { code: 555, text: '5.5.4 That parameter is not known here' },
  closing: { code: 421, text: '4.3.2 Shutting down, try again later' },
  reportsOnly: { code: 550, text: '5.7.1 Only delivery reports come to this address' },
  notTheOwner: {
    code: 550,
    text: '5.7.1 Only the owner of the relay address can write here, from the address bound to the account',
  },
  tooManyReplies: { code: 450, text: '4.7.1 Too many replies today, try again tomorrow' },
} as const satisfies Record<string, Answer>
