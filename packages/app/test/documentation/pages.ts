import { PAGES } from './blocks.ts'

/** What needs more than `npm ci`: the system tier follows these. */
const IN_THE_SYSTEM_TIER = [
  'docs/guides/library.md',
  'docs/guides/own-rule.md',
  'docs/guides/behind-a-proxy.md',
  'docs/guides/pgbouncer-and-fail-over.md',
  'docs/guides/containers.md',
  'docs/guides/kubernetes.md',
  'docs/guides/systemd.md',
  'packages/rollcall/README.md',
] as const

const ON_POSTGRES = ['docs/guides/back-up-and-move.md', 'docs/guides/several-instances.md'] as const

const others = PAGES.filter((page) => ![...IN_THE_SYSTEM_TIER, ...ON_POSTGRES].some((one) => one === page))

/** Each page, by the test that follows it. */
export const FOLLOWED_BY = { guides: others, postgres: ON_POSTGRES, system: IN_THE_SYSTEM_TIER } as const
