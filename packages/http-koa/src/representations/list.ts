import { cursorOf, type Page } from '@rollcall/core'

export const list = <Item, Representation>(page: Page<Item>, representation: (item: Item) => Representation) => ({
  items: page.items.map(representation),
  next: cursorOf(page.next) ?? null,
})
