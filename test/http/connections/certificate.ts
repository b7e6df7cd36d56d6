import { generateKeyPairSync, sign } from 'node:crypto'

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTETS = 0x04
const OID = 0x06
const TEXT = 0x0c
const TIME = 0x18

/** An ASN.1 value with its length prefix. */
function der(tag: number, ...parts: readonly (Uint8Array | readonly number[])[]): Buffer {
  const value = Buffer.concat(parts.map(part => Buffer.from(part)))
  const length = value.length < 128 ? [value.length] : [0x82, value.length >> 8, value.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), value])
}

const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OID, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
const COMMON_NAME = der(OID, [0x55, 0x04, 0x03])
const ALTERNATIVE_NAME = der(OID, [0x55, 0x1d, 0x11])
const ADDRESS = 0x87

const time = (year: number) => der(TIME, Buffer.from(`${year}0101000000Z`))

/** A key with a self-signed certificate for this machine's own address. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(TEXT, Buffer.from('edgewise')))))
  const addresses = der(OCTETS, der(SEQUENCE, der(ADDRESS, [127, 0, 0, 1])))
  const content = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, [2])),
    der(INTEGER, [1]),
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, time(2020), time(2999)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, der(SEQUENCE, ALTERNATIVE_NAME, addresses))),
  )
  const signature = der(BIT_STRING, [0], sign('sha256', content, privateKey))
  const whole = der(SEQUENCE, content, ECDSA_WITH_SHA256, signature)
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
