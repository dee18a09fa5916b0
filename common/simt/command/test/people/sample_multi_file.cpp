// expect: right
// manner: several files
// flags: -I Common
// with: sample_multi_file_part.cu
#include <cstdio>
#include <string>
#include <vector>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_math.h>

extern "C" void computeGold(char *reference, char *idata, const unsigned int len);
extern "C" bool runTest(const int argc, const char **argv, char *data, int2 *data_int2,
                        unsigned int len);

int main(int argc, char **argv)
{
    std::vector<char> str = {
        82, 111, 118, 118, 121, 42, 97, 121, 124, 118, 110, 56, 10, 10, 10, 10
    };
    std::vector<int2> i2;
    for (int i = 0; i < 16; i++)
        i2.push_back(make_int2(str[i], 10));
    dim3 one, three(3, 2);
    float3 v = make_float3(1, 2, 2);
    bool bTestResult =
        runTest(argc, (const char **)argv, str.data(), i2.data(), (unsigned)str.size());
    std::string first(str.data());
    bTestResult &= first == "Hello World." && one.x == 1 && three.z == 1 && length(v) == 3;
    std::string second;
    for (const auto &c : i2)
        second += (char)c.x;
    bTestResult &= second.substr(0, 12) == "Hello World.";
    std::printf("%s\n%s\n", str.data(), bTestResult ? "PASS" : "FAIL");
    return bTestResult ? EXIT_SUCCESS : EXIT_FAILURE;
}
