import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { openApiDocument } from '../openapi/document.ts'
import { sendRepresentation } from '../send.ts'

export const getOpenApi = ({ publicUrl, useCases, now = Date.now }: HttpOptions): Step => {
  let body: string | undefined
  return (ctx) => {
    body ??= JSON.stringify(openApiDocument(publicUrl, useCases.access.policy))
    sendRepresentation(ctx, { body, audience: { cacheControl: 'public, no-cache' }, now: now() })
  }
}
