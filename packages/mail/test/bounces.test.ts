import { judgeFailure } from '@rollcall/core'
import { expect, it } from 'vitest'
import { createReportParser } from '../src/index.ts'

const VERP = 'bounces+1.20785.10123456789abcdef0123@letters.example.com'

const meaningOf = async (message: string) => {
  const report = await createReportParser().parse(Buffer.from(message.replaceAll('\n', '\r\n')))
  return report?.kind === 'bounce' ? judgeFailure(report.failure).meaning : undefined
}

const words = (from: string, text: string, fields = '') =>
  `From: ${from}\nTo: ${VERP}\n${fields}Subject: x\n\n${text}\n`

const report = (from: string, status: string, text = 'It could not be delivered.') => `From: ${from}
To: ${VERP}
Subject: Undeliverable
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="B"

--B
Content-Type: text/plain

${text}

--B
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; x@example.com
${status}
--B
Content-Type: text/rfc822-headers

Subject: x

--B--
`

const EXIM = 'Mail Delivery System <Mailer-Daemon@mx.example.net>'
const EXIM_TEXT = (said: string) => `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  x@example.com
    ${said}

------ This is a copy of the message, including all the headers. ------

Subject: 5.1.1 no such user`
const EXIM_FIELDS = 'X-Failed-Recipients: x@example.com\nAuto-Submitted: auto-replied\n'
const QMAIL = (said: string) => `Hi. This is the qmail-send program at mx.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<x@example.com>:
${said}

--- Below this line is a copy of the message.

Subject: no such user 5.1.1`
const EXCHANGE = 'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@tenant.example>'
const OFFICE = 'postmaster@tenant.onmicrosoft.example'
const GMAIL = 'Mail Delivery Subsystem <mailer-daemon@googlemail.example>'

// Whether there is no such mailbox, or it is full, or nothing is said of it.
it.each<[string, string, 'permanent' | 'temporary' | undefined]>([
  [
    'Exim, in words',
    words(
      EXIM,
      EXIM_TEXT('SMTP error from remote mail server after RCPT TO:<x@example.com>:\n    550 No such user'),
      EXIM_FIELDS,
    ),
    'permanent',
  ],
  ['Exim: unrouteable', words(EXIM, EXIM_TEXT('Unrouteable address'), EXIM_FIELDS), 'permanent'],
  ['Exim: a server that is away', words(EXIM, EXIM_TEXT('retry timeout exceeded'), EXIM_FIELDS), undefined],
  ['Exim: spam', words(EXIM, EXIM_TEXT('550 This message was classified as SPAM'), EXIM_FIELDS), undefined],
  ['Exim: full', words(EXIM, EXIM_TEXT('552 Mailbox is full'), EXIM_FIELDS), 'temporary'],
  [
    'Exim: a delay',
    words(EXIM, 'A message has not yet been delivered to x@example.com: 550 unknown user. It will be retried.'),
    undefined,
  ],
  [
    'Exim, with a report of no status',
    report(EXIM, 'Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550-5.1.1 <x@example.com>: User unknown\n'),
    'permanent',
  ],
  ['qmail', words('MAILER-DAEMON@mx.example.net', QMAIL('Sorry, no mailbox here by that name. (#5.1.1)')), 'permanent'],
  [
    'qmail, no status',
    words('MAILER-DAEMON@mx.example.net', QMAIL('Sorry, no mailbox here by that name.')),
    'permanent',
  ],
  [
    'qmail: another server',
    words(
      'MAILER-DAEMON@mx.example.net',
      QMAIL('192.0.2.1 does not like recipient.\nRemote host said: 550 unknown user\nGiving up on 192.0.2.1.'),
    ),
    'permanent',
  ],
  [
    'qmail: spam at another server',
    words(
      'MAILER-DAEMON@mx.example.net',
      QMAIL('192.0.2.1 failed after I sent the message.\nRemote host said: 554 spam'),
    ),
    undefined,
  ],
  [
    'qmail: could not connect',
    words('MAILER-DAEMON@mx.example.net', QMAIL("Sorry, I wasn't able to establish an SMTP connection. (#4.4.1)")),
    undefined,
  ],
  [
    'IronPort',
    report(EXIM, 'Action: failed\nStatus: 5.0.0\nX-Supplementary-Info: <mx #5.0.0 smtp; 550 "Unknown User">\n'),
    'permanent',
  ],
  [
    'IronPort, whatever the refusal',
    report(
      EXIM,
      "Action: failed\nStatus: 5.1.0 (permanent failure)\nDiagnostic-Code: smtp; 5.1.0 - Unknown address error 550-'Rejected for policy reasons' (delivery attempts: 0)\n",
    ),
    undefined,
  ],
  [
    'Postfix',
    report(
      EXIM,
      'Action: failed\nStatus: 5.1.1\nRemote-MTA: dns; mx.example.com\nDiagnostic-Code: smtp; 550 5.1.1 <x@example.com>: Recipient address rejected: User unknown\n',
    ),
    'permanent',
  ],
  [
    'Postfix: no such host',
    report(EXIM, 'Action: failed\nStatus: 5.4.4\nDiagnostic-Code: X-Postfix; Host not found\n'),
    undefined,
  ],
  [
    'Postfix, the report part lost',
    words(
      'MAILER-DAEMON@mx.example.net',
      'This is the mail system at host mx.example.net.\n\n<x@example.com>: host mx.example.com[192.0.2.1] said: 550 5.1.1 User unknown (in reply to RCPT TO)',
    ),
    'permanent',
  ],
  [
    'Exchange Online',
    report(
      OFFICE,
      'Action: failed\nStatus: 5.1.10\nDiagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup\n',
    ),
    'permanent',
  ],
  [
    'Exchange Online: another server',
    report(
      OFFICE,
      'Action: failed\nStatus: 5.0.350\nDiagnostic-Code: smtp;550 5.0.350 Remote server returned an error -> 550 5.1.1 no such user\n',
    ),
    'permanent',
  ],
  [
    'Exchange Online: the edge',
    report(
      OFFICE,
      'Action: failed\nStatus: 5.4.1\nDiagnostic-Code: smtp;550 5.4.1 Recipient address rejected: Access denied. AS(201806281)\n',
    ),
    'permanent',
  ],
  [
    'Exchange Online: not allowed to send',
    report(
      OFFICE,
      'Action: failed\nStatus: 5.7.124\nDiagnostic-Code: smtp;550 5.7.124 RESOLVER.RST.SenderNotInAllowedSendersList\n',
    ),
    undefined,
  ],
  [
    'Exchange, in HTML alone',
    `From: ${EXCHANGE}\nTo: ${VERP}\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n<html><body><p>Your message to x@example.com couldn't be delivered.</p><p>Remote Server returned '550 5.1.1 RESOLVER.ADR.RecipNotFound; not found'</p></body></html>\n`,
    'permanent',
  ],
  [
    'Outlook.com',
    report(
      'postmaster@outlook.example',
      'Action: failed\nStatus: 5.5.0\nDiagnostic-Code: smtp;550 5.5.0 Requested action not taken: mailbox unavailable\n',
    ),
    'permanent',
  ],
  [
    'Outlook.com: full',
    report(
      'postmaster@outlook.example',
      'Action: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp;554 5.2.2 mailbox full\n',
    ),
    'temporary',
  ],
  [
    'Gmail',
    report(
      GMAIL,
      'Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.\n',
    ),
    'permanent',
  ],
  [
    'Gmail: too much at a time',
    report(
      GMAIL,
      'Action: failed\nStatus: 5.2.1\nDiagnostic-Code: smtp; 550-5.2.1 The user you are trying to contact is receiving mail at a rate that\n',
    ),
    undefined,
  ],
  [
    'a report that says why in its text alone',
    report(EXIM, 'Action: failed\nStatus: 5.0.0\n', 'x@example.com\n  550 This message was classified as SPAM'),
    undefined,
  ],
  [
    'a report that names the status in its text alone',
    report(EXIM, 'Action: failed\nStatus: 5.0.0\n', 'host mx.example.com said: 552 5.2.2 Over quota'),
    'temporary',
  ],
  ['a report that does not say why', report(EXIM, 'Action: failed\nStatus: 5.0.0\n'), undefined],
  [
    'a server that has a name and no address',
    words(
      'MAILER-DAEMON <>',
      'There was an error delivering your mail to <x@example.com>.\n\nmx.example.com [192.0.2.1] did not like our RCPT TO:\n550 5.1.1 <x@example.com>: User unknown\n\nMessage headers follow.\n\nSubject: spam',
    ),
    'permanent',
  ],
  [
    'an old Exchange',
    words(
      'System Administrator <postmaster@example.com>',
      'Your message\n\n  To: x@example.com\n\ndid not reach the following recipient(s):\n\nx@example.com on Thu, 29 Apr 2026 00:00:00 -0000\n    Unknown Recipient',
    ),
    'permanent',
  ],
  [
    'Postfix: a refusal of any other kind',
    report(
      EXIM,
      'Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 5.0.0 <x@example.com>: Recipient address rejected: On hold\n',
    ),
    undefined,
  ],
  ['a report that says nothing at all', report(EXIM, 'Action: failed\nStatus: 5.0.0\n', ''), 'permanent'],
  [
    'a report of another mistake',
    report(EXIM, 'Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 554 Transaction failed\n'),
    undefined,
  ],
  [
    'Exim: it is our server that is refused',
    words(
      EXIM,
      EXIM_TEXT(
        'SMTP error after MAIL FROM:\n    551 Server access forbidden by invalid RDNS record of your mail server',
      ),
      EXIM_FIELDS,
    ),
    undefined,
  ],
  [
    'Exim: a pipe that broke',
    words(EXIM, EXIM_TEXT('pipe to |/usr/bin/cat generated by x@example.com: No such file or directory'), EXIM_FIELDS),
    undefined,
  ],
  [
    'a group that takes no mail of ours',
    words(
      GMAIL,
      "We're writing to let you know that the group you tried to contact may not exist, or you may not have permission to post messages to it.",
      'X-Failed-Recipients: x@example.com\n',
    ),
    undefined,
  ],
  [
    'Gmail: the other server did not say why',
    words(
      GMAIL,
      'Delivery to the following recipient failed permanently:\n\n     x@example.com\n\nTechnical details of permanent failure:\nThe recipient server did not accept our requests to connect.',
      'X-Failed-Recipients: x@example.com\n',
    ),
    undefined,
  ],
  [
    'Gmail: a delay in words',
    `X-Failed-Recipients: x@example.com\nFrom: ${GMAIL}\nTo: ${VERP}\nSubject: Delivery Status Notification (Delay)\n\nYou need not send it again.\n`,
    undefined,
  ],
  [
    'Gmail: a delay',
    report(GMAIL, 'Action: delayed\nStatus: 4.4.1\nDiagnostic-Code: smtp; The recipient server did not accept\n'),
    undefined,
  ],
  [
    'Gmail, in words',
    words(
      GMAIL,
      "** Address not found **\n\nYour message wasn't delivered to x@example.com because the address couldn't be found.\n\nThe response was:\n550 5.1.1 no such user",
      'X-Failed-Recipients: x@example.com\n',
    ),
    'permanent',
  ],
  [
    'an automatic reply',
    words('x@example.com', 'I am away. In urgent cases: 5.1.1, user unknown.', 'Auto-Submitted: auto-replied\n'),
    undefined,
  ],
  [
    'an automatic reply of a ticket system',
    words('postmaster@example.com', 'We took your request 550 and will answer.'),
    undefined,
  ],
  ...['Re: x', 'AW: x', 'Automatische Antwort', 'Automatic reply: x', 'Out of office'].map(
    (subject): [string, string, undefined] => [
      `an answer from the address of a server: ${subject}`,
      words('postmaster@example.com', 'Back on 5.1.1, call 550 5.1.1 then.').replace(
        'Subject: x',
        `Subject: ${subject}`,
      ),
      undefined,
    ],
  ),
])('%s', async (_, message, meaning) => {
  expect(await meaningOf(message)).toBe(meaning)
})
