import { InvalidInput } from '@rollcall/core'
import { fillMarkup, html } from '@rollcall/platform-node'
import { ConsoleError, statusOf } from './console-error.ts'
import type { ConsoleOptions } from './console-options.ts'
import { link, notice } from './parts/parts.ts'
import type { Page } from './visit.ts'

export const notFound = ({ texts }: ConsoleOptions): ConsoleError => new ConsoleError('NotFound', texts.errors.NotFound)

/** What can be said of an error; of a defect, only where it is found in the log. */
export const errorPage = (error: unknown, options: ConsoleOptions, requestId: string, isPost: boolean): Page => {
  const { errors } = options.texts
  const status = statusOf(error)
  const message = status === undefined ? undefined : (error as Error).message
  if (status === undefined) options.log.error({ err: error, request_id: requestId }, 'a request of the console failed')
  const details =
    error instanceof InvalidInput
      ? html`<ul>${error.details.map((each) => html`<li>${each.field}: ${each.message}</li>`)}</ul>`
      : undefined
  // Of storage that was gone for a moment, the message itself says what is known.
  const unchanged = isPost && status !== undefined && status !== 503 && html`<p>${errors.unchanged}</p>`
  const said = notice('alarm', message ?? fillMarkup(errors.defect, { id: requestId }))
  const content = html`${said}${details}${unchanged}<p>${link(status === 401 ? '/login' : '/', errors.home)}</p>`
  return { status: status ?? 500, title: errors.title, content }
}
