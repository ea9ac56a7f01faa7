import { createHash, createHmac } from 'node:crypto'

const sha256 = (text) => createHash('sha256').update(text).digest('hex')
const hmac = (key, text) => createHmac('sha256', key).update(text).digest()

/** The header fields of a POST to an AWS service that signs it (Signature Version 4). */
export const signedHeaders = (url, body, service) => {
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const headers = {
    'content-type': 'application/json',
    host: url.host,
    'x-amz-date': time,
    ...(AWS_SESSION_TOKEN && { 'x-amz-security-token': AWS_SESSION_TOKEN }),
  }
  const names = Object.keys(headers).join(';')
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const request = ['POST', url.pathname, '', lines.join(''), names, sha256(body)].join('\n')
  const scope = [time.slice(0, 8), AWS_REGION, service, 'aws4_request']
  const key = scope.reduce(hmac, `AWS4${AWS_SECRET_ACCESS_KEY}`)
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(request)].join('\n')
  const signature = hmac(key, toSign).toString('hex')
  const credential = `${AWS_ACCESS_KEY_ID}/${scope.join('/')}`
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`
  return { ...headers, authorization }
}
