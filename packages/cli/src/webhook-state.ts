import type { DescribedWebhook } from '@rollcall/core'

const DISABLED = {
  'by-hand': 'disabled by hand',
  failing: 'disabled: it accepted nothing for three days',
  gone: 'disabled: it answered 410',
} as const

/** Whether anything is sent there; and if not, why. */
export const webhookState = ({ disabled }: DescribedWebhook): string =>
  disabled === undefined ? 'enabled' : DISABLED[disabled.because]
