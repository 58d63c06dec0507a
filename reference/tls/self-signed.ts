import { generateKeyPair, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import forge from 'node-forge'

const daysValid = 7

/** The kinds of a name in a certificate (RFC 5280 4.2.1.6). */
const dnsName = 2
const ipAddress = 7

/** A certificate for this machine's names and the given host, which only its receivers may trust. */
export async function selfSigned(host: string): Promise<{ readonly cert: string; readonly key: string }> {
  // Node's own keys: the library's take seconds to find.
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  // Positive, and 20 bytes at the most (RFC 5280 4.1.2.2).
  certificate.serialNumber = `01${randomBytes(16).toString('hex')}`
  const day = 86_400_000
  certificate.validity.notBefore = new Date(Date.now() - day)
  certificate.validity.notAfter = new Date(Date.now() + daysValid * day)
  const name = [{ name: 'commonName', value: 'Token Assay reference server' }]
  certificate.setSubject(name)
  certificate.setIssuer(name)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, keyCertSign: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: [...new Set(['localhost', '127.0.0.1', '::1', host])].map(altName) },
  ])
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create())
  return { cert: forge.pki.certificateToPem(certificate), key: privateKey }
}

function altName(host: string) {
  return isIP(host) === 0 ? { type: dnsName, value: host } : { type: ipAddress, ip: host }
}
