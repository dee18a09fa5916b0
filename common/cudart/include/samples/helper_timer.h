/*
 * helper_timer.h: the stop watch of NVIDIA's samples, written anew: milliseconds of the host's
 * steady clock. Here they are the simulation's, not a GPU's.
 */
#ifndef COMMON_HELPER_TIMER_H_
#define COMMON_HELPER_TIMER_H_

#include <chrono>

class StopWatchInterface
{
  public:
    virtual ~StopWatchInterface() {}
    virtual void start() = 0;
    virtual void stop() = 0;
    virtual void reset() = 0;
    virtual float getTime() = 0;
    virtual float getAverageTime() = 0;
};

class StopWatchLinux : public StopWatchInterface
{
    typedef std::chrono::steady_clock clock;
    clock::time_point begun = clock::now();
    float total = 0;
    unsigned sessions = 0;
    bool running = false;

    float since() const
    {
        return std::chrono::duration<float, std::milli>(clock::now() - begun).count();
    }

  public:
    void start() override
    {
        begun = clock::now();
        running = true;
    }
    void stop() override
    {
        total += since();
        running = false;
        sessions++;
    }
    void reset() override
    {
        total = 0;
        sessions = 0;
        begun = clock::now();
    }
    float getTime() override { return total + (running ? since() : 0); }
    float getAverageTime() override { return sessions ? total / (float)sessions : 0; }
};

inline bool sdkCreateTimer(StopWatchInterface **timer)
{
    *timer = new StopWatchLinux();
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer)
{
    delete *timer;
    *timer = nullptr;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface **timer)
{
    if (*timer)
        (*timer)->start();
    return *timer;
}
inline bool sdkStopTimer(StopWatchInterface **timer)
{
    if (*timer)
        (*timer)->stop();
    return *timer;
}
inline bool sdkResetTimer(StopWatchInterface **timer)
{
    if (*timer)
        (*timer)->reset();
    return *timer;
}
inline float sdkGetAverageTimerValue(StopWatchInterface **timer)
{
    return *timer ? (*timer)->getAverageTime() : 0;
}
inline float sdkGetTimerValue(StopWatchInterface **timer)
{
    return *timer ? (*timer)->getTime() : 0;
}

#endif
