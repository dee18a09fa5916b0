/*
 * screen.c: see screen.h.
 */
#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1
#include "screen.h"

#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

enum { BARS = 2, LEAST_ROWS = 3 };

static SCREEN *screen;

/* Asked first: newterm keeps memory for good where it does not know the terminal. */
static bool terminal_is_known(void)
{
    int ignored;
    const bool known = setupterm(NULL, STDOUT_FILENO, &ignored) == OK;

    if (known)
        del_curterm(cur_term);
    return known;
}

bool screen_open(base_error *error)
{
    setlocale(LC_CTYPE, "");
    /* Over ssh it may be one that is not known here: most are like xterm. */
    screen = newterm(terminal_is_known() ? NULL : "xterm", stdout, stdin);
    if (!screen)
        return error_set(error, "ncurses does not know this terminal (TERM=%s)",
                         getenv("TERM") ? getenv("TERM") : "");
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(50);
    curs_set(0);
    if (has_colors()) {
        start_color();
        use_default_colors();
        for (short colour = COLOR_RED; colour <= COLOR_CYAN; colour++)
            init_pair(colour, colour, -1);
    }
    return true;
}

void screen_close(void)
{
    erase(); /* some terminals keep what stood there */
    refresh();
    endwin();
    delscreen(screen);
}

void screen_lend(void)
{
    def_prog_mode();
    endwin();
}

void screen_take_back(void)
{
    reset_prog_mode();
    clearok(curscr, TRUE);
    refresh();
}

unsigned screen_columns(void) { return (unsigned)COLS; }

unsigned screen_rows(void)
{
    return (unsigned)(LINES - BARS > LEAST_ROWS ? LINES - BARS : LEAST_ROWS);
}

int screen_key(void)
{
    const int key = getch();

    switch (key) {
    case ERR: return SCREEN_NO_KEY;
    case KEY_RESIZE: return SCREEN_RESIZED;
    case KEY_UP: return SCREEN_UP;
    case KEY_PPAGE: return SCREEN_BACK;
    case KEY_DOWN: return SCREEN_DOWN;
    case KEY_NPAGE: return ' ';
    case KEY_RIGHT: return 'n';
    case KEY_LEFT: return 'p';
    default: return key > 0 && key < 256 ? key : ' ' + 1;
    }
}

/* ---- text ------------------------------------------------------------------------------------ */

/* "\033[31m" and its kin, which the report makes; *at comes to stand after it. */
static void take_colour(const char **at)
{
    const long code = strtol(*at + 2, NULL, 10);

    if (code == 0)
        attrset(A_NORMAL);
    else if (code == 1)
        attron(A_BOLD);
    else if (code >= 30 && code < 38)
        attron(COLOR_PAIR((int)code - 30));
    *at += 2 + strcspn(*at + 2, "m");
    *at += **at == 'm';
}

/* In the last column of a line that goes on. */
static void draw_cut(int row) { mvaddnwstr(row, COLS - 1, MB_CUR_MAX > 1 ? L"\u2026" : L">", 1); }

/* One line up to its end or the text's, or cut at the window's edge. What is no character of this
   locale is a '?'. */
static void draw_line(int row, const char *text)
{
    int column = 0;
    mbstate_t state;

    memset(&state, 0, sizeof state);
    move(row, 0);
    for (const char *at = text; *at && *at != '\n';) {
        if (at[0] == '\033' && at[1] == '[') {
            take_colour(&at);
            continue;
        }
        wchar_t letter[2] = { L'?', L'\0' };
        size_t length = mbrtowc(letter, at, MB_CUR_MAX, &state);
        if (length == 0 || length > MB_CUR_MAX) {
            memset(&state, 0, sizeof state);
            letter[0] = L'?';
            length = 1;
        }
        if (letter[0] == L'\t')
            letter[0] = L' ';
        const int width = wcwidth(letter[0]);
        if (column + (width > 0 ? width : 1) > COLS) {
            draw_cut(row);
            break;
        }
        addnwstr(width < 0 ? L"?" : letter, 1);
        column += width < 0 ? 1 : width;
        at += length;
    }
}

static void draw_bar(int row, const char *left, const char *right)
{
    const int room = COLS - (int)strlen(right);

    attrset(A_REVERSE);
    mvhline(row, 0, ' ', COLS);
    draw_line(row, left);
    if (room > 0)
        mvaddnstr(row, room, right, COLS - room);
    attrset(A_NORMAL);
}

static const char *next_line(const char *text)
{
    const char *end = strchr(text, '\n');
    return end ? end + 1 : text + strlen(text);
}

unsigned screen_show(const char *left, const char *right, const char *text, unsigned first,
                     const char *keys)
{
    unsigned rows = screen_rows(), height = 0, below = 0;

    erase();
    for (unsigned k = 0; k < first && *text; k++)
        text = next_line(text);
    for (const char *at = text; *at; at = next_line(at))
        height++;
    if (height > rows)
        below = height - --rows;
    for (unsigned row = 0; row < rows && *text; row++, text = next_line(text))
        draw_line(1 + (int)row, text);
    attrset(A_NORMAL);
    if (below)
        mvprintw(1 + (int)rows, 0, "-- %u more line%s: space --", below, below == 1 ? "" : "s");
    draw_bar(0, left, right);
    draw_bar(LINES - 1, keys, "");
    refresh();
    return below;
}
