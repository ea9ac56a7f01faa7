import { type DescribedWebhook, type DisabledBecause, type EventType, parseWebhookName } from '@rollcall/core'
import type { Told } from './told.ts'

export const toldWebhook = (told: Told): DescribedWebhook => {
  const until = told.optionalInstant('previous_secret_until')
  return {
    name: told.parsed('name', parseWebhookName),
    url: told.text('url'),
    types: told.texts('types') as readonly EventType[],
    previousSecret: until === undefined ? undefined : { until },
    disabled: told.flag('enabled')
      ? undefined
      : { because: told.text('disabled_because') as DisabledBecause, since: told.instant('disabled_since') },
    createdAt: told.instant('created_at'),
    updatedAt: told.instant('updated_at'),
  }
}
