import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { openApiDocument } from '../openapi/document.ts'
import { sendRepresentation } from '../send.ts'

export const getOpenApi = ({ publicUrl, now = Date.now }: HttpOptions): Step => {
  const body = JSON.stringify(openApiDocument(publicUrl))
  return (ctx) => sendRepresentation(ctx, { body, audience: { cacheControl: 'public, no-cache' }, now: now() })
}
