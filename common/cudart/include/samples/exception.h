/* exception.h: what NVIDIA's samples throw, written anew. */
#ifndef COMMON_EXCEPTION_H_
#define COMMON_EXCEPTION_H_

#include <stdio.h>
#include <stdlib.h>

#include <iostream>
#include <stdexcept>
#include <string>

template <class Std_Exception> class Exception : public Std_Exception
{
  public:
    static void throw_it(const char *file, const int line, const char *detailed = "-")
    {
        throw Exception(std::string(file) + ":" + std::to_string(line) + ": " + detailed);
    }
    explicit Exception(const std::string &what = "") : Std_Exception(what) {}
};

template <class Exception_Typ> inline void handleException(const Exception_Typ &ex)
{
    std::cerr << ex.what() << std::endl;
    exit(EXIT_FAILURE);
}

#define RUNTIME_EXCEPTION(msg) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, msg)
#define LOGIC_EXCEPTION(msg)   Exception<std::logic_error>::throw_it(__FILE__, __LINE__, msg)
#define RANGE_EXCEPTION(msg)   Exception<std::range_error>::throw_it(__FILE__, __LINE__, msg)

#endif
