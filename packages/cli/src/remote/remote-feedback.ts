import {
  type AddressHash,
  asAddressHash,
  type FeedbackDecision,
  type PublishedDeliverability,
  type PublishedFeedback,
  parseFeedName,
  UndeliverableNotFound,
} from '@rollcall/core'
import * as v from 'valibot'
import { inPath } from './remote-request.ts'
import type { RemoteServer, RemoteUseCases } from './remote-server.ts'
import { instant, optional, parsed, record, text, wholeNumber } from './schema-parts.ts'
import { schemas } from './schemas.ts'

const hash = v.custom<AddressHash>((value) => typeof value === 'string' && asAddressHash(value) !== undefined)

const undeliverable = record<PublishedDeliverability>({
  address: hash,
  state: text(),
  since: instant,
  status: optional(text()),
})

const waiting = record<PublishedFeedback>({
  id: wholeNumber,
  caller: text(),
  feeds: optional(v.array(parsed(parseFeedName))),
  kind: text(),
  address: hash,
  subscription: optional(wholeNumber),
  permanent: v.boolean(),
  status: optional(text()),
  at: instant,
  since: instant,
})

const decided = v.object({ decided: wholeNumber })

/** The use cases about what came back of mails, over HTTP. */
export const remoteFeedback = (server: RemoteServer) =>
  ({
    listFeedback: ({ cursor, limit }) => server.get('listFeedback', { limit, cursor }, schemas.pageOf(waiting)),
    decideFeedback: async ({ decision, ids }) => {
      const operation = (decision as FeedbackDecision) === 'accept' ? 'acceptFeedback' : 'dropFeedback'
      return (await server.ask(operation, { body: { ids } })).as(decided).decided
    },
    listUndeliverable: ({ state, cursor, limit }) =>
      server.get('listUndeliverable', { state: state as never, limit, cursor }, schemas.pageOf(undeliverable)),
    liftUndeliverable: async ({ address }) => {
      await server.delete(
        'liftUndeliverable',
        { address: inPath(UndeliverableNotFound, address) },
        UndeliverableNotFound,
      )
      // Only the server knows the hash of an address.
      return address
    },
  }) satisfies Partial<RemoteUseCases>
