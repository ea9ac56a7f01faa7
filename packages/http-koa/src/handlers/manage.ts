import type { Handler } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { linkTokenIn } from '../middleware/access.ts'
import { managedPage, managePage } from '../pages/manage-page.ts'
import { languageOf, prefersPage, sendPage } from '../pages/send-page.ts'
import { sendResult } from '../send.ts'

/** Shows one button, whatever became of the subscription: nothing is looked up, and nothing changes. */
export const showManage: Handler = (ctx) => {
  sendPage(ctx, 200, managePage(languageOf(ctx)))
}

const MAILED =
  'If the subscription still exists, a mail with the link to its preferences is sent to its address within ten minutes.'

/** Mails the link to the preferences to the address of the subscription. The answer is always the same. */
export const mailPreferences =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    await useCases.mailPreferences.execute({ token: linkTokenIn(ctx) })
    if (prefersPage(ctx)) sendPage(ctx, 200, managedPage(languageOf(ctx)))
    else sendResult(ctx, { message: MAILED })
  }
