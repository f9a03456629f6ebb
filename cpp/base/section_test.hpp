// For tests of what readers do with damaged files: checksums would refuse most of them at once.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

namespace demotic::test {

// The bytes of a section file as they were before there were checksums.
inline std::string without_checksums(std::string bytes) {
  constexpr std::size_t kSections = 32, kChecksum = 36;  // places in the header
  std::uint32_t sections;
  std::memcpy(&sections, bytes.data() + kSections, sizeof sections);
  --sections;
  std::memcpy(bytes.data() + kSections, &sections, sizeof sections);
  std::memset(bytes.data() + kChecksum, 0, sizeof sections);
  return bytes;
}

}  // namespace demotic::test
