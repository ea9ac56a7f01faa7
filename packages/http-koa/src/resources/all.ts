import { TablePolicy } from '@rollcall/core'
import { documentOf } from '../openapi/document.ts'
import type { Operation, ResourceOperations } from '../operation/operation.ts'
import { audit } from './audit.ts'
import { bulk } from './bulk.ts'
import { challenge } from './challenge.ts'
import { events } from './events.ts'
import { feedFace } from './feed-face.ts'
import { feedback } from './feedback.ts'
import { feeds } from './feeds.ts'
import { links } from './links.ts'
import { moves } from './moves.ts'
import { preferences } from './preferences.ts'
import { recipients } from './recipients.ts'
import { serviceWith } from './service.ts'
import { signUp } from './sign-up.ts'
import { stats } from './stats.ts'
import { subscriptionFiles } from './subscription-files.ts'
import { subscriptions } from './subscriptions.ts'
import { suppressions } from './suppressions.ts'
import { tokens } from './tokens.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

/** Every endpoint. Each path also answers HEAD where it answers GET, OPTIONS, and TRACE unless that is off. */
export const RESOURCES: readonly ResourceOperations[] = [
  ...[signUp, challenge, links, preferences, moves, users, bulk, feeds, subscriptions, suppressions, events],
  ...[subscriptionFiles, webhooks, feedFace, tokens, feedback, recipients, stats, audit],
  serviceWith(({ publicUrl, useCases, trace }) => openApiDocument(publicUrl, useCases.access.table, { trace })),
]

export const OPERATIONS: readonly Operation[] = RESOURCES.flatMap(({ operations }) => operations)

/** The whole interface as OpenAPI 3.1; the table decides which roles it names, and `trace` whether TRACE is answered. */
export const openApiDocument = (
  publicUrl: string,
  table = new TablePolicy(),
  { trace = true }: { readonly trace?: boolean } = {},
) => documentOf(RESOURCES, publicUrl, table, trace)
