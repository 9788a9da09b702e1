/* P^zsum with p = 1/4 in C, behind the line protocol of `panshuffle crosscheck --command`.
 *
 *   cc -O1 -o bits binary_sum.c
 *   panshuffle crosscheck binary-sum --n 6 --p 1/4 --ones 2 --command ./bits
 *   panshuffle crosscheck binary-sum --n 6 --p 1/4 --ones 2 --command "./bits bug"
 *
 * A request is one line of JSON; all that is needed of it are the bits after "data".  With the argument "bug" the noise
 * is drawn from the low bits of a linear congruential generator.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 1 << 16 };

static uint64_t state = 88172645463325252ULL;
static uint32_t weak = 1;
static int bug = 0;

static uint64_t strong(void) { /* xorshift64* */
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 2685821657736338717ULL;
}

static uint32_t below(uint32_t bound) { return (uint32_t)((strong() >> 32) * bound >> 32); }

static int noise(void) {
  if (!bug) return strong() >> 62 == 0;
  weak = weak * 1103515245u + 12345u;
  return (weak & 3) == 0; /* the two low bits have period four */
}

int main(int count, char **words) {
  static char line[LONGEST];
  static int messages[LONGEST];
  bug = count > 1 && strcmp(words[1], "bug") == 0;
  while (fgets(line, sizeof line, stdin)) {
    char *at = strstr(line, "\"data\"");
    int users = 0, sent = 0;
    if (!at) return 1;
    for (at = strchr(at, '['); *at && *at != ']'; at++)
      if (*at == '0' || *at == '1') messages[sent++] = *at - '0', users++;
    for (int i = 0; i < users; i++) messages[sent++] = noise();
    for (int i = sent - 1; i > 0; i--) {
      int j = (int)below((uint32_t)i + 1), kept = messages[i];
      messages[i] = messages[j];
      messages[j] = kept;
    }
    printf("{\"messages\": [");
    for (int i = 0; i < sent; i++) printf(i ? ", %d" : "%d", messages[i]);
    printf("]}\n");
    fflush(stdout);
  }
  return 0;
}
