import { timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { createClient } from '@rollcall/client'

const { SERVER, TOKEN, WEBHOOK_USER, WEBHOOK_PASSWORD, PORT = '4100' } = process.env
const rollcall = createClient({ url: SERVER, token: TOKEN })

const KINDS = new Map([
  ['Bounce', 'bounce'],
  ['SpamComplaint', 'complaint'],
])
const PERMANENT = new Set(['HardBounce', 'BadEmailAddress'])
const PASSING = new Set(['SoftBounce', 'Transient', 'DnsError'])

/** Not a part of an address or of a version. */
const STATUS = /(?<![\d.])[45]\.(?:0|[1-9]\d{0,2})\.(?:0|[1-9]\d{0,2})(?!\.?\d)/

/** What Rollcall is to know of it; undefined for what says nothing about the address, such as an automatic reply. */
const feedbackOf = ({ RecordType, Type, MessageID, BouncedAt, Details, Metadata }) => {
  const kind = KINDS.get(RecordType)
  const permanent = PERMANENT.has(Type)
  // Without one, a failure that passes says nothing about the address.
  const [status] = STATUS.exec(Details ?? '') ?? []
  // Other mails of the same Postmark server have no id of a subscription.
  if (kind === undefined || !/^\d+$/.test(Metadata?.subscription)) return undefined
  if (kind === 'bounce' && !permanent && !PASSING.has(Type)) return undefined
  return {
    kind,
    subscription: Number(Metadata.subscription),
    ...(kind === 'bounce' && { permanent, status }),
    at: new Date(BouncedAt).toISOString(),
    provider_id: `postmark ${MessageID} ${Type}`,
  }
}

const EXPECTED = Buffer.from(`Basic ${btoa(`${WEBHOOK_USER}:${WEBHOOK_PASSWORD}`)}`)
const isPostmark = ({ authorization = '' }) => {
  const given = Buffer.from(authorization)
  return given.length === EXPECTED.length && timingSafeEqual(given, EXPECTED)
}

const statusFor = async (request) => {
  if (!isPostmark(request.headers)) return 401
  try {
    const item = feedbackOf(await json(request))
    if (item !== undefined) await rollcall.recordFeedback({ body: { items: [item] } })
    return 200
  } catch (error) {
    // Postmark sends it again later.
    console.error(error)
    return 500
  }
}

const server = createServer(async (request, response) => response.writeHead(await statusFor(request)).end())
server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on port ${server.address().port}`))
