import { describe, expect, it } from 'vitest'
import { judgeFailure } from '../src/feedback/judge-failure.ts'
import { isTold } from '../src/feedback/refusal-words.ts'

const UNKNOWN = 'smtp; 550-5.1.1 <x@example.com>: Recipient address rejected: User unknown'
const EXCHANGE =
  'smtp; 550 5.4.1 Recipient address rejected: Access denied. [x.example.com 2026-11-28T10:00:00.000Z 08DE]'

/** Of a report: whether it was final, its status, and the words of the server; then what it means, and by which status. */
type Case = readonly [boolean, string?, string?, ('permanent' | 'temporary')?, string?]

const of = (meaning: Case[3], statuses: readonly string[]): Case[] =>
  statuses.map((one) => [true, one, '', meaning, one])

const CASES: readonly Case[] = [
  ...of('permanent', ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']),
  ...of('temporary', ['4.1.1', '4.2.1', '4.2.2', '5.2.0', '5.2.2']),
  // The status has the last word.
  [false, '5.1.1', '', 'permanent', '5.1.1'],
  [true, '4.2.2', 'smtp; 550 5.1.1 no such user', 'temporary', '4.2.2'],
  // The sender, the content, a server, the network, the protocol, a delivery.
  ...of(undefined, [
    ...['5.7.0', '5.7.1', '5.7.26', '4.7.1', '5.6.0', '5.6.1', '5.3.0', '5.3.4', '4.3.2', '5.2.3', '5.2.4', '5.1.0'],
    ...['5.1.7', '5.1.8', '4.4.1', '4.4.7', '5.4.4', '5.5.0', '5.5.2', '2.1.5', '5.1.11', '5.9.9', 'constructor'],
  ]),
  [true, '5.1.1', 'smtp; 550 5.1.1 Account expired', 'permanent', '5.1.1'],
  [true, '5.1.1', 'smtp; 550 5.1.1 User account has expired', 'permanent', '5.1.1'],
  [true, '5.1.1', 'smtp; 550 5.1.1 delivery time expired', undefined],
  [true, '5.2.1', 'smtp; 550 5.2.1 The email account that you tried to reach is disabled', 'permanent', '5.2.1'],
  [true, '5.2.1', 'smtp; 554 5.2.1 mailbox is temporarily disabled, try again later', undefined],
  // Without a status.
  [true, undefined, undefined, 'permanent'],
  [false, undefined, undefined, undefined],
  [true, undefined, UNKNOWN, 'permanent', '5.1.1'],
  [false, undefined, UNKNOWN, 'permanent', '5.1.1'],
  [true, undefined, 'smtp; 552 5.3.4 Message size exceeds fixed limit', undefined, '5.3.4'],
  [true, undefined, 'smtp; 552 Mailbox quota exceeded', 'temporary', '5.2.2'],
  [true, undefined, 'smtp; 451 Try again later', undefined],
  [true, undefined, 'smtp; 554 delivery error: this user has no account', 'permanent'],
  // `X.0.0` is none.
  [true, '5.0.0', UNKNOWN, 'permanent', '5.1.1'],
  [true, '5.0.0', '<mx #5.0.0 smtp; 550 "Unknown User">', 'permanent'],
  [true, '5.0.0', 'smtp; 550 No such user here', 'permanent'],
  [true, '5.0.0', '', 'permanent'],
  [true, '5.0.0', 'smtp; 550 5.7.1 Rejected by policy', undefined, '5.7.1'],
  [true, '5.0.0', 'smtp; 550 5.6.0 Rejected content', undefined, '5.6.0'],
  [true, '5.0.0', 'smtp; 452 4.2.2 Mailbox full', 'temporary', '4.2.2'],
  [true, '5.0.0', 'smtp; 450 Try again later', undefined],
  [false, '5.0.0', '', undefined],
  [true, '4.0.0', '', undefined],
  [true, '2.0.0', '', undefined],
  // A status that says what is concerned alone, and the words or another status what is the matter.
  [true, '5.1.0', 'smtp; 550 #5.1.0 Address rejected.', undefined, '5.1.0'],
  [
    true,
    '5.1.0',
    "smtp; 5.1.0 - Unknown address error 550-'Blocked for abuse' (delivery attempts: 0)",
    undefined,
    '5.1.0',
  ],
  [
    true,
    '5.1.0',
    "smtp; 5.1.0 - Unknown address error 550-'5.1.1 <x@example.com>: User unknown'",
    'permanent',
    '5.1.1',
  ],
  [true, '5.1.0', "smtp; 5.1.0 - Unknown address error 550-'No such user here'", 'permanent'],
  [true, '5.3.0', 'smtp; 553 5.3.0 <x@example.com>... Addressee unknown, relay=[192.0.2.1]', 'permanent'],
  [true, '5.3.0', 'smtp; 553 5.3.0 <x@example.com>... No such user here', 'permanent'],
  [true, '5.5.0', 'smtp; 550 5.5.0 Requested action not taken: mailbox unavailable', 'permanent'],
  [
    true,
    '5.5.0',
    'smtp; 550 Requested action not taken: mailbox unavailable. For explanation visit',
    undefined,
    '5.5.0',
  ],
  [true, '5.1.351', 'smtp; 550 5.1.351 Remote server returned unknown recipient -> 550 5.1.1 no', 'permanent', '5.1.1'],
  [true, '5.0.350', 'smtp; 550 5.0.350 Remote server returned an error -> 550 5.7.1 no', undefined, '5.7.1'],
  [true, '5.0.350', 'smtp; 550 5.0.350 Remote server returned an error -> 550 Message rejected as spam', undefined],
  [true, '5.0.350', 'smtp; 550 5.0.350 Remote server returned an error -> 550 5.1.1 no', 'permanent', '5.1.1'],
  // What well-known servers say beside their status.
  [true, '5.4.4', 'X-Postfix; Host not found', undefined, '5.4.4'],
  [true, '5.1.10', 'smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found', 'permanent', '5.1.10'],
  [true, '5.7.124', 'smtp;550 5.7.124 RESOLVER.RST.SenderNotInAllowedSendersList', undefined, '5.7.124'],
  [true, '5.2.2', 'smtp;554 5.2.2 mailbox full', 'temporary', '5.2.2'],
  [true, '5.1.1', 'smtp; 550-5.1.1 The email account that you tried to reach does not exist.', 'permanent', '5.1.1'],
  [true, '5.1.0', "smtp; 5.1.0 - Unknown address error 550-'Rejected for policy reasons'", undefined, '5.1.0'],
  // Without a status that says something, what the words are about.
  ...[
    'smtp; 550 Message rejected as spam',
    'smtp; 554 Your access to this mail system has been rejected due to the sending server having a poor reputation',
    'smtp; 550 SPF check failed',
    'smtp; 550 Sender verify failed: no such user here',
    'smtp; 550 Relay access denied',
    'smtp; 552 Message size exceeds fixed limit',
    'smtp; 554 Too many hops',
    'smtp; 550 Blocked: user unknown or not allowed by our policy',
    'x@example.com\n  retry timeout exceeded',
    'x@example.com\n  all hosts have been failing for a long time and were last tried 3 days ago',
    'x@example.com\n  Connection timed out',
  ].map((words): Case => [true, undefined, words, undefined]),
  ...[
    'smtp; 550 unknown user <x@example.com>',
    'smtp; 550 Unrouteable address',
    'smtp; 554 delivery error: dd This user doesn’t have an account here',
    'smtp; 550 Empfänger unbekannt',
    'x@example.com\n  550 The email account that you tried to reach does not exist',
    'host mx.example.net said: 550 Account disabled',
  ].map((words): Case => [true, undefined, words, 'permanent']),
  // As people report them.
  ...[
    'smtp; 554 30 Sorry, your message cannot be delivered. This mailbox is disabled (554.30).',
    'smtp; 550 Invalid Recipient - https://example.com/docs',
    'smtp; 550 No such user - psmtp',
    'smtp; 550 5.0.0 <x@example.com>... User unknown',
    'smtp; 550 <x@example.com>, Recipient unknown',
    'smtp; 550 sorry, no mailbox here by that name',
    'smtp; 554 delivery error: dd Requested mail action aborted, mailbox not found',
  ].map((words): Case => [true, '5.0.0', words, 'permanent']),
  ...[
    'smtp; 554 IP=192.0.2.1 - None/bad reputation. Ask your postmaster for help',
    'smtp; 550 permanent failure for one or more recipients (x@example.com:blocked)',
    'smtp; 550 Rejected by header based manually Blocked Senders',
    'smtp; 550-Verification failed for <n@example.com>\n550-No Such User Here\n550 Sender verify failed',
    'smtp; 554 rejected due to spam content',
    'smtp; 550 Requested action not taken: mailbox unavailable. Reject due to SPF policy.',
    'smtp; 554 Service unavailable; Client host [192.0.2.1] blocked using a list',
    'smtp; 550 High probability of spam',
    'smtp; 550 Message was not accepted -- invalid mail. Local mailbox x@example.com is unavailable: message size',
    'smtp; 553 sorry, your domain does not have a valid PTR record',
    'smtp; 550 Too many recipients for this user',
    'smtp; 554 Denied (Mode: normal): attachment type not allowed',
  ].map((words): Case => [true, '5.0.0', words, undefined]),
  ...['5.7.26', '5.7.1', '5.4.5', '5.7.750', '5.1.8', '4.4.7', '4.3.0'].map(
    (status): Case => [true, status, `smtp; 550 ${status} no such user`, undefined, status],
  ),
  [true, undefined, 'smtp; 550 Mailbox full', 'temporary', '5.2.2'],
  [true, '5.0.0', 'smtp; 554 The recipient is over quota', 'temporary', '5.2.2'],
  [true, '5.2.1', 'smtp; 550-5.2.1 The user is receiving mail at a rate that prevents more', undefined],
  [false, '4.2.1', 'smtp; 450-4.2.1 The user is receiving mail too quickly', undefined],
  [true, '5.2.1', 'smtp; 550-5.2.1 The account that you tried to reach is disabled', 'permanent', '5.2.1'],
  // A refusal at the edge of Microsoft's network.
  [true, '5.4.1', EXCHANGE, 'permanent'],
  [true, '5.0.0', EXCHANGE, 'permanent'],
  [true, '5.4.1', 'smtp; 550 5.4.1 All recipient addresses rejected', undefined, '5.4.1'],
  [true, '5.4.1', undefined, undefined, '5.4.1'],
  // One status for all that is refused: the words have the last word.
  [true, '5.1.1', 'smtp; 552 5.1.1 Boite du destinataire pleine. Recipient overquota. [417]', 'temporary', '5.2.2'],
  [
    true,
    '5.1.1',
    'smtp; 552 5.1.1 <x@example.com> recipient rejected - extended quota violation',
    'temporary',
    '5.2.2',
  ],
  [true, '5.1.1', 'smtp; 552 5.2.2 Over quota', 'temporary', '5.2.2'],
  ...[
    'smtp; 550 5.1.1 <x@example.com> - 192.0.2.1 has sent to too many recipients this hour',
    'smtp; 552 5.1.1 <x@example.com> Mailbox delivery failure policy error',
    'smtp; 553 Relaying disallowed',
    'smtp; 553 http://www.spamhaus.org/query/bl?ip=192.0.2.1',
  ].map((words): Case => [true, '5.1.1', words, undefined]),
  [true, '5.1.1', 'smtp; 550 5.7.1 IP address blacklisted by recipient', undefined, '5.7.1'],
  [true, '5.1.1', 'smtp; 550 5.1.1 User unknown in relay recipient table; see our policy', 'permanent', '5.1.1'],
  [true, '5.1.1', 'smtp; 550 5.1.0 Address rejected', 'permanent', '5.1.1'],
  [true, undefined, 'smtp; 552 1 Requested mail action aborted, mailbox not found', 'permanent'],
  ...[
    'smtp; 452 4.1.1 <x@example.com> too many recent messages; Try again later',
    'smtp; 450 4.1.1 <x@example.com>: Recipient address rejected: unverified address: verification in progress',
  ].map((words): Case => [true, '4.1.1', words, undefined]),
  [
    false,
    '4.2.1',
    'smtp; 421 4.2.1 Service refuse. Veuillez essayer plus tard. Service refused, please try later.',
    undefined,
  ],
  ...[
    'smtp; 550 5.2.0 Message rejected due to DMARC',
    'smtp; 550 5.2.0 Mail rejete. Mail rejected. ofr_506 [506]',
    'smtp; 550 5.2.0 Message Filtered',
  ].map((words): Case => [true, '5.2.0', words, undefined]),
  [false, '4.2.0', 'smtp; 450 4.2.0 <x@example.com>: Recipient address rejected: greylisted for 60 seconds', undefined],
  [true, '5.2.0', 'smtp; 550 5.2.0 Unknown user x@example.com', 'permanent'],
  [true, '5.2.0', 'smtp; 550 5.2.0 Mailbox full', 'temporary', '5.2.2'],
  [false, '4.2.0', 'smtp; 450 4.2.0 Mailbox full', 'temporary', '5.2.2'],
  [false, '4.2.0', 'smtp; 450 4.2.0 Unknown user x@example.com', 'temporary', '4.2.0'],
  [true, '4.0.0', 'smtp; 452 mailbox full', 'temporary', '5.2.2'],
  [false, undefined, 'smtp; 452 mailbox full', undefined],
  [true, '5.0.0', 'smtp; 550 Daily user sending quota exceeded', undefined],
  [true, '5.0.0', 'smtp; 452 Insufficient system storage', undefined],
  // An address may be called anything.
  [true, undefined, 'smtp; 550 <spam@example.com>: Recipient does not exist', 'permanent'],
  [true, '5.0.0', 'smtp; 550 <unknown_user@example.com>: too many errors', undefined],
  [true, '5.0.0', 'smtp; 550 Recipient <x@mail.example.com> does not exist', 'permanent'],
  [true, '5.3.0', 'smtp; 554 5.3.0 <x@example.com>: Recipient address rejected: Mailer error', undefined, '5.3.0'],
  // No numbers but statuses are read.
  [false, undefined, 'smtp; 550 blocked, see 5.1.1.1 or 15.1.1', undefined],
  [true, undefined, 'smtp; 550 Blocked (#5.7.1).', undefined, '5.7.1'],
]

const NAMED = CASES.map(([permanent, status, diagnostic, meaning, by]) => ({
  ...{ permanent, status, diagnostic, meaning, by },
}))

describe('a failure', () => {
  it.each(NAMED)('permanent $permanent, status $status, $diagnostic: $meaning by $by', (found) => {
    const { permanent, status, diagnostic, meaning, by } = found
    const judged = judgeFailure({ permanent, status, diagnostic })
    expect(judged).toEqual({ meaning, status: by })
    // What is stored of it means the same, without the words.
    expect(judgeFailure({ permanent: meaning === 'permanent', status: judged.status })).toEqual(judged)
  })

  it('is judged by the beginning of what a server says: words without end are not read', () => {
    const judged = (before: string) =>
      judgeFailure({ permanent: true, status: undefined, diagnostic: `${before} spam` }).meaning
    expect(judged('x')).toBeUndefined()
    expect(judged('unrout'.repeat(100_000))).toBe('permanent')
    expect([isTold('spam'), isTold(`${'x'.repeat(100_000)} spam`), isTold(' ')]).toEqual([true, false, true])
  })
})
