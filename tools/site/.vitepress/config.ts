import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitepress'
import { anchorOf } from './anchor-of.ts'
import { sidebarOf } from './sidebar.ts'

const DOCS = path.join(import.meta.dirname, '../../../docs')
const REPOSITORY = 'https://github.com/rollcall/rollcall/blob/main/'

const titleOf = (page: string): string => /^# (.*)$/m.exec(readFileSync(path.join(DOCS, page), 'utf8'))?.[1] ?? page

const links = (...pages: readonly string[]) => pages.map((page) => ({ text: titleOf(`${page}.md`), link: `/${page}` }))

const pagesIn = (folder: string): string[] =>
  readdirSync(path.join(DOCS, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replace(/\.md$/, '')}`)

/** Pages that have another name on the site. */
const RENAMED: Readonly<Record<string, string>> = { 'README.md': 'docs/index.md', 'docs/README.md': 'docs/contents.md' }

/** Links out of `docs` lead to the repository, where GitHub shows the file or the folder. */
const linkOutOfSite = (page: string, link: string): string => {
  const folder = path.join('docs', path.dirname(page))
  const [target = '', ...anchor] = path.join(folder, link).split('#')
  const renamed = RENAMED[target]
  if (renamed !== undefined) return [path.relative(folder, renamed), ...anchor].join('#')
  return target.startsWith('docs/') && target.endsWith('.md') ? link : REPOSITORY + [target, ...anchor].join('#')
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
  rewrites: { 'README.md': 'contents.md' },
  transformPageData: ({ filePath, frontmatter }) => {
    if (filePath.startsWith('reference/typescript/')) frontmatter.editLink = false
  },
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    // Without scripts there is no button that opens the list of pages on a small screen.
    ['noscript', {}, `<style>${WITHOUT_SCRIPT}</style>`],
  ],
  // Nothing is loaded from anywhere else: no font, no script, no count of readers.
  appearance: true,
  // The index of the search is one file, which is loaded when a reader searches.
  vite: { build: { chunkSizeWarningLimit: 2500 } },
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
          token.attrSet(
            'href',
            linkOutOfSite(env.relativePath === 'contents.md' ? 'README.md' : env.relativePath, href),
          )
        }
        return true
      })
    },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            // A reader has a task: guides come before the reference, and reasons last.
            boostDocument: (id: string) => (/\/(?:start|guides\/)/.test(id) ? 2 : id.includes('/decisions/') ? 0.3 : 1),
          },
        },
        // The declarations repeat every term many times, and would come before the guides.
        _render: (source, env, md) => {
          const html = md.render(source, env)
          return env.relativePath.startsWith('reference/typescript/') ? '' : html
        },
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'All pages', link: '/contents' },
      { text: 'Start', link: '/start' },
      { text: 'Guides', link: '/guides/embed-a-form' },
      { text: 'Reference', link: '/reference/configuration' },
    ],
    // Pages that are made with the site are in no repository.
    editLink: {
      pattern: ({ filePath }) =>
        `https://github.com/rollcall/rollcall/edit/main/${filePath === 'index.md' ? 'README.md' : `docs/${filePath}`}`,
      text: 'Edit this page',
    },
    sidebar: [
      ...sidebarOf(readFileSync(path.join(DOCS, 'README.md'), 'utf8')).map(({ text, pages }) => ({
        text,
        items: links(...pages),
      })),
      { text: 'TypeScript API', collapsed: true, items: links(...pagesIn('reference/typescript')) },
      { text: 'Decisions', collapsed: true, items: links(...pagesIn('decisions')) },
    ],
  },
})
