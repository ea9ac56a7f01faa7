import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitepress'
import { anchorOf } from './anchor-of.ts'

const DOCS = path.join(import.meta.dirname, '../../../docs')
const REPOSITORY = 'https://github.com/rollcall/rollcall/blob/main/'

const titleOf = (page: string): string => /^# (.*)$/m.exec(readFileSync(path.join(DOCS, page), 'utf8'))?.[1] ?? page

const links = (...pages: readonly string[]) => pages.map((page) => ({ text: titleOf(`${page}.md`), link: `/${page}` }))

const pagesIn = (folder: string): string[] =>
  readdirSync(path.join(DOCS, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replace(/\.md$/, '')}`)

/** Links out of `docs` lead to the repository, where GitHub shows the file or the folder. */
const linkOutOfSite = (page: string, link: string): string => {
  const target = path.relative(path.dirname(DOCS), path.resolve(DOCS, path.dirname(page), link))
  if (target === path.join('docs', 'README.md')) return link.replace('README.md', 'index.md')
  return target.startsWith(`docs${path.sep}`) && link.includes('.md') ? link : REPOSITORY + target
}

const WITHOUT_SCRIPT =
  '.VPSidebar{position:static!important;width:auto!important;max-width:none!important;transform:none!important;opacity:1!important;visibility:visible!important}.VPLocalNav,.VPNavBarHamburger,.VPNavBarSearch{display:none!important}'

export default defineConfig({
  title: 'Rollcall',
  description: 'Subscriptions by confirmed opt-in, and users that can be deleted permanently.',
  srcDir: '../../docs',
  outDir: '../../site',
  cacheDir: '../../node_modules/.cache/vitepress',
  cleanUrls: false,
  lastUpdated: false,
  rewrites: { 'README.md': 'index.md' },
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    // Without scripts there is no button that opens the list of pages on a small screen.
    ['noscript', {}, `<style>${WITHOUT_SCRIPT}</style>`],
  ],
  // Nothing is loaded from anywhere else: no font, no script, no count of readers.
  appearance: true,
  // The index of the search is one file, which is loaded when a reader searches.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  markdown: {
    // The usual themes have less contrast than small text needs.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    config: (md) => {
      // Braces in code are a mail's, not a template's of the site.
      const { code_inline: inline } = md.renderer.rules
      md.renderer.rules.code_inline = (...given) => (inline?.(...given) ?? '').replace('<code', '<code v-pre')
      // A block that is a file says which.
      const { fence } = md.renderer.rules
      md.renderer.rules.fence = (tokens, index, ...given) => {
        const [, file] = /\[([^\]]+)\]$/.exec(tokens[index]?.info ?? '') ?? []
        const title =
          file === undefined ? '' : `<p class="file-name"><code v-pre>${md.utils.escapeHtml(file)}</code></p>`
        return `${title}${fence?.(tokens, index, ...given) ?? ''}`
      }
      md.core.ruler.push('links-out-of-site', ({ tokens, env }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null
          if (href === null || /^(?:[a-z]+:|#|\/)/.test(href)) continue
          token.attrSet('href', linkOutOfSite(env.relativePath === 'index.md' ? 'README.md' : env.relativePath, href))
        }
        return true
      })
    },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // The declarations repeat every term many times, and would come before the guides.
        _render: (source, env, md) => {
          const html = md.render(source, env)
          return env.relativePath.startsWith('reference/typescript/') ? '' : html
        },
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Guides', link: '/guides/embed-a-form' },
      { text: 'Reference', link: '/reference/configuration' },
    ],
    sidebar: [
      { text: 'Start', items: links('start') },
      {
        text: 'Guides',
        items: links(
          ...[
            'embed-a-form',
            'delete-many-users',
            'identity-providers',
            'send-mail',
            'a-feeds-face',
            'pages-and-languages',
          ].map(inGuides),
          ...['webhooks', 'abuse-and-limits', 'come-from-elsewhere', 'back-up-and-move', 'several-instances'].map(
            inGuides,
          ),
          ...['containers', 'kubernetes', 'systemd'].map(inGuides),
          ...[
            'pgbouncer-and-fail-over',
            'monitor',
            'runbook',
            'work-from-another-machine',
            'library',
            'troubleshoot',
          ].map(inGuides),
        ),
      },
      {
        text: 'Reference',
        items: links(
          ...['http', 'command-line', 'configuration', 'events', 'errors', 'access-tokens', 'limits', 'mail'].map(
            inReference,
          ),
          ...['metrics', 'files', 'postgresql', 'backups', 'guarantees', 'audit-trail', 'library'].map(inReference),
        ),
      },
      { text: 'TypeScript API', collapsed: true, items: links(...pagesIn('reference/typescript')) },
      {
        text: 'For contributors',
        collapsed: true,
        items: links('architecture', 'glossary', 'performance', 'reliability'),
      },
      { text: 'Decisions', collapsed: true, items: links(...pagesIn('decisions')) },
    ],
  },
})

function inGuides(name: string): string {
  return `guides/${name}`
}

function inReference(name: string): string {
  return `reference/${name}`
}
