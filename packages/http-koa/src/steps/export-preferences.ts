import { storedAboutAddressRecord } from '@rollcall/core'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendJson } from '../send.ts'
import { linkTokenIn } from './link-token.ts'

/** Everything that is stored about an address, for its owner to keep. */
export const exportPreferences =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    const stored = await useCases.exportPreferences.execute({ token: linkTokenIn(ctx) })
    ctx.res.setHeader('Cache-Control', 'no-store')
    ctx.res.setHeader('Content-Disposition', 'attachment; filename="subscriptions.json"')
    sendJson(ctx, 200, JSON.stringify(storedAboutAddressRecord(stored), undefined, 2))
  }
