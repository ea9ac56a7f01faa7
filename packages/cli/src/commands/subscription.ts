import type { Verb } from '../verb.ts'
import { subscriptionErase } from './subscription-erase.ts'
import { subscriptionExport } from './subscription-export.ts'
import { subscriptionImport } from './subscription-import.ts'
import { subscriptionList } from './subscription-list.ts'
import { subscriptionConfirm, subscriptionEnd } from './subscription-on-behalf.ts'
import { subscriptionShow } from './subscription-show.ts'

export const subscription: readonly Verb[] = [
  subscriptionList,
  subscriptionShow,
  subscriptionConfirm,
  subscriptionEnd,
  subscriptionErase,
  subscriptionExport,
  subscriptionImport,
]
