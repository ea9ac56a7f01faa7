import type { Verb } from '../verb.ts'
import { webhookDelete } from './webhook-delete.ts'
import { webhookList } from './webhook-list.ts'
import { webhookPut } from './webhook-put.ts'
import { webhookRedeliver } from './webhook-redeliver.ts'
import { webhookRotate } from './webhook-rotate.ts'
import { webhookShow } from './webhook-show.ts'

export const webhook: readonly Verb[] = [
  webhookList,
  webhookShow,
  webhookPut,
  webhookDelete,
  webhookRotate,
  webhookRedeliver,
]
