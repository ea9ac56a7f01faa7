import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import type { ListedToken } from './access-token-store.ts'

export interface ListTokensQuery extends PageRequest {
  /** The whole subject. */
  readonly subject?: string | undefined
}

/** Lists what was issued here; tokens of an identity provider are not. */
export class ListTokensUseCase extends UseCase<'access' | 'reads', 'accessTokens'> {
  static readonly permission = 'tokens:read'
  static readonly action = 'token.read'

  async execute({ subject, ...request }: ListTokensQuery, caller: Caller): Promise<Page<ListedToken>> {
    const attempt = await this.ports.access.require(caller, ListTokensUseCase)
    const page = await this.ports.readers.accessTokens.list({ ...stretchOf(request), subject })
    this.ports.reads.note(caller, attempt)
    return page
  }
}
