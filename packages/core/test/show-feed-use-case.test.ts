import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'

describe('showing a feed to everybody', () => {
  it('gives the default feed where none is named, and nothing but what a sign-up page says', async () => {
    const { useCases } = openMemoryService()
    const words = { title: 'default', description: '', language: undefined, wording: undefined, face: {} }
    const feed = { name: 'default', ...words, open: true, fields: [], returnUrls: [], stamp: expect.any(String) }
    expect(await useCases.showFeed.execute({})).toEqual(feed)
    expect(await useCases.showFeed.execute({ name: '' })).toEqual(feed)
  })

  it.each(['nowhere', 'Default', '../default'])('knows no feed %j', async (name) => {
    const { useCases } = openMemoryService()
    await expect(useCases.showFeed.execute({ name })).rejects.toMatchObject({ name: 'FeedNotFound' })
  })
})
