import { setTimeout as pause } from 'node:timers/promises'
import { signedHeaders } from './aws-signature.js'
import { deliver } from './deliver.js'
import { from, subject, textFor } from './issue.js'

const { AWS_REGION, SES_URL = `https://email.${AWS_REGION}.amazonaws.com`, SES_CONFIGURATION_SET } = process.env
const url = new URL('/v2/email/outbound-emails', SES_URL)

const bodyFor = (recipient) =>
  JSON.stringify({
    FromEmailAddress: from,
    Destination: { ToAddresses: [recipient.email] },
    Content: {
      Simple: {
        Subject: { Data: subject, Charset: 'UTF-8' },
        Body: { Text: { Data: textFor(recipient), Charset: 'UTF-8' } },
        Headers: Object.entries(recipient.headers).map(([Name, Value]) => ({ Name, Value })),
      },
    },
    // Its events report bounces and complaints to Rollcall.
    ConfigurationSetName: SES_CONFIGURATION_SET,
  })

/** Whether Amazon took the mail. */
const sendTo = async (recipient) => {
  const body = bodyFor(recipient)
  for (;;) {
    const answer = await fetch(url, { method: 'POST', headers: signedHeaders(url, body, 'ses'), body })
    if (answer.ok) return true
    const type = answer.headers.get('x-amzn-errortype')
    if (answer.status === 429) await pause(1_000)
    else if (type?.startsWith('BadRequestException')) {
      console.error(`not sent to ${recipient.id}: ${await answer.text()}`)
      return false
    } else throw new Error(`Amazon SES answered ${answer.status} ${type}: ${await answer.text()}`)
  }
}

await deliver(50, async function* (batch) {
  for (const recipient of batch) if (await sendTo(recipient)) yield recipient
})
