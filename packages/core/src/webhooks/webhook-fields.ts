import { InvalidInput } from '../errors.ts'
import { EVENT_TYPES, type EventType } from '../events/event-store.ts'
import type { DomainNames } from '../platform/domain-names.ts'
import { readAll } from '../read-all.ts'
import { problemWithUrl } from '../subscriptions/return-url.ts'
import type { WebhookTransport } from './webhook-transport.ts'

/** What can be said of a webhook, as it came. */
export interface WebhookFields {
  readonly url?: string | undefined
  /** Which events it wants; all that there are where none is given. */
  readonly types?: readonly string[] | undefined
  /** Whether anything is sent to it, as is where nothing is said. */
  readonly enabled?: boolean | undefined
}

interface Judges {
  readonly domainNames: DomainNames
  readonly webhookTransport: Pick<WebhookTransport, 'problemWith'>
}

/** @throws {InvalidInput} with the problems of every field that has one */
export const readWebhookFields = ({ url = '', types = [], enabled = true }: WebhookFields, judges: Judges) =>
  readAll({
    url: () => parseUrl(url, judges),
    types: () => parseTypes(types),
    enabled: () => enabled,
  })

const parseUrl = (url: string, { domainNames, webhookTransport }: Judges): string => {
  const message =
    url === ''
      ? 'Say where events are to be sent.'
      : (problemWithUrl(url, domainNames) ?? webhookTransport.problemWith(url))
  if (message !== undefined) throw new InvalidInput([{ field: 'url', message }])
  return url
}

const parseTypes = (types: readonly string[]): readonly EventType[] => {
  const unknown = types.find((type) => !EVENT_TYPES.some((known) => known === type))
  if (unknown !== undefined)
    throw new InvalidInput([{ field: 'types', message: `Use some of ${EVENT_TYPES.join(', ')}; or none for all.` }])
  return types.length === 0 ? EVENT_TYPES : EVENT_TYPES.filter((type) => types.includes(type))
}
