/**
 * CRC-32 of `bytes`, or of what had the sum `before` and these after it. One changed byte always changes it, as does any
 * change within 32 bits in a row; of all others one in four thousand millions does not.
 */
export function checksum(bytes: Uint8Array, before = 0): number {
  // Not imported: that costs every start some milliseconds, and few ever meet a file that is long enough.
  return process.getBuiltinModule('node:zlib').crc32(bytes, before);
}
