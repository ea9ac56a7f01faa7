interface SidebarGroup {
  readonly text: string
  readonly pages: readonly string[]
}

/** The groups of pages as the first page of the documentation has them: its headings, and what it links below each. */
export const sidebarOf = (firstPage: string): readonly SidebarGroup[] =>
  firstPage
    .split(/^#{2,3} /m)
    .slice(1)
    .map((section) => ({
      text: section.split('\n', 1)[0] ?? '',
      pages: [...section.matchAll(/\]\(([\w/-]+)\.md\)/g)].map(([, page = '']) => page),
    }))
    .filter(({ pages }) => pages.length > 0)
