import { deliver } from './deliver.js'
import { from, subject, textFor } from './issue.js'

const { POSTMARK_URL = 'https://api.postmarkapp.com', POSTMARK_TOKEN, POSTMARK_STREAM = 'broadcast' } = process.env

const messageFor = (recipient) => ({
  From: from,
  To: recipient.email,
  Subject: subject,
  TextBody: textFor(recipient),
  Headers: Object.entries(recipient.headers).map(([Name, Value]) => ({ Name, Value })),
  // The webhook gets it back with a bounce.
  Metadata: { subscription: String(recipient.id) },
  MessageStream: POSTMARK_STREAM,
})

// 500 is the most that Postmark takes at once.
await deliver(500, async function* (batch) {
  const answer = await fetch(new URL('/email/batch', POSTMARK_URL), {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-postmark-server-token': POSTMARK_TOKEN,
    },
    body: JSON.stringify(batch.map(messageFor)),
  })
  if (!answer.ok) throw new Error(`Postmark answered ${answer.status}: ${await answer.text()}`)
  // An answer for each message, in their order.
  for (const [place, { ErrorCode, Message }] of (await answer.json()).entries()) {
    if (ErrorCode === 0) yield batch[place]
    else console.error(`not sent to ${batch[place].id}: ${ErrorCode} ${Message}`)
  }
})
