import { expect } from 'vitest'
import type { Home } from './running-service.ts'

/** What an administrator of a service that runs asks of it. */
export const administered = async (home: Home) => {
  const token = await home.token('root', 'admin')
  const ask = async (method: string, place: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const request = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await fetch(`${home.url}${place}`, request)
    const text = await answer.text()
    return { status: answer.status, value: text === '' ? undefined : JSON.parse(text) }
  }
  const putUser = (id: string, name = '') => ask('PUT', `/users/${id}`, { email: `${id}@example.com`, name, roles: [] })
  const putWebhook = async (url: string, more = {}): Promise<string> => {
    const { status, value } = await ask('PUT', '/webhooks/shop', { url, ...more })
    expect([status, value?.error]).toEqual([value === undefined ? 204 : 201, undefined])
    return value?.secret
  }
  return { ask, putUser, putWebhook }
}
