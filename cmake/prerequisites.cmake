# Says which package to install when the compiler or the Python headers are missing, before CMake's own long message.

include(CheckLanguage)
check_language(CXX)
if(NOT CMAKE_CXX_COMPILER)
  message(FATAL_ERROR "demotic: no C++ compiler was found\n  hint: apt install g++ (Debian, Ubuntu), dnf install gcc-c++ (Fedora), xcode-select --install (macOS)")
endif()
enable_language(CXX)

include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_FLAGS "-std=c++20")
check_cxx_source_compiles("#include <span>\n#include <compare>\nint main() { return std::span<int>{}.size() + (1 <=> 1 != 0); }"
                          DEMOTIC_HAS_CXX20)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT DEMOTIC_HAS_CXX20)
  message(FATAL_ERROR "demotic: ${CMAKE_CXX_COMPILER} cannot compile C++20\n"
                      "  hint: install a newer compiler: GCC 11 (Debian, Ubuntu: apt install g++; Fedora: dnf install gcc-c++) or Clang 14")
endif()

if(NOT DEFINED DEMOTIC_PYTHON OR DEMOTIC_PYTHON)
  find_package(Python 3.10 COMPONENTS Interpreter OPTIONAL_COMPONENTS Development.Module Development.SABIModule)
  if(NOT Python_Interpreter_FOUND)
    message(FATAL_ERROR "demotic: Python 3.10 or newer was not found\n  hint: apt install python3 (Debian, Ubuntu), dnf install python3 (Fedora)")
  endif()
  if(NOT Python_Development.Module_FOUND)
    message(FATAL_ERROR "demotic: the headers of Python ${Python_VERSION} (Python.h) are missing\n"
                        "  hint: apt install python3-dev (Debian, Ubuntu), dnf install python3-devel (Fedora)")
  endif()
endif()
