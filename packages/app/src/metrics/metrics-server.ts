import { createServer, type RequestListener, type Server } from 'node:http'
import type { Registry } from 'prom-client'
import type { Log } from '../log.ts'

const LIMITS = { maxHeaderSize: 8 * 1024, headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 30_000 }
const PATH = '/metrics'

/** `GET /metrics` and nothing else, on a port of its own: counters on a public one would tell who is new. */
export const createMetricsServer = (registry: Registry, log: Log): Server =>
  createServer(LIMITS, answering(registry, log))

const answering =
  (registry: Registry, log: Log): RequestListener =>
  async (req, res) => {
    const path = req.url?.split('?')[0]
    res.setHeader('X-Content-Type-Options', 'nosniff')
    res.setHeader('Cache-Control', 'no-store')
    if (path !== PATH) return void res.writeHead(404).end()
    if (req.method !== 'GET' && req.method !== 'HEAD') return void res.writeHead(405, { Allow: 'GET, HEAD' }).end()
    try {
      const text = await registry.metrics()
      res.writeHead(200, { 'Content-Type': registry.contentType, 'Content-Length': Buffer.byteLength(text) }).end(text)
    } catch (error) {
      log.warn({ err: error }, 'metrics could not be gathered')
      res.writeHead(503, { 'Retry-After': '5' }).end()
    }
  }
