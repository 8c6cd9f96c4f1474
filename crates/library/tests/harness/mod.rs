//! Runs programs with the interpreter's own library and with the models.

use interp::{End, Inputs, Machine, Policy, Setup, Values};
use model::{CheckKind, Program, Target};

const PROTOTYPES: &str = "typedef __SIZE__ size_t; typedef struct _IO_FILE FILE; typedef __SSIZE__ ssize_t;
typedef struct { int quot; int rem; } div_t;
extern FILE *stdin, *stdout, *stderr;
void *memcpy(void *, const void *, size_t), *mempcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t);
void *memccpy(void *, const void *, int, size_t), *memset(void *, int, size_t), *memchr(const void *, int, size_t);
void *memrchr(const void *, int, size_t), *memmem(const void *, size_t, const void *, size_t), *rawmemchr(const void *, int);
int memcmp(const void *, const void *, size_t); void bzero(void *, size_t), bcopy(const void *, void *, size_t);
size_t strlen(const char *), strnlen(const char *, size_t), strlcpy(char *, const char *, size_t), strlcat(char *, const char *, size_t);
size_t strspn(const char *, const char *), strcspn(const char *, const char *), strxfrm(char *, const char *, size_t);
char *strcpy(char *, const char *), *stpcpy(char *, const char *), *strncpy(char *, const char *, size_t);
char *stpncpy(char *, const char *, size_t), *strcat(char *, const char *), *strncat(char *, const char *, size_t);
char *strdup(const char *), *strndup(const char *, size_t), *strchr(const char *, int), *strrchr(const char *, int);
char *strchrnul(const char *, int), *strstr(const char *, const char *), *strpbrk(const char *, const char *);
char *strtok(char *, const char *), *strtok_r(char *, const char *, char **), *strsep(char **, const char *);
int strcmp(const char *, const char *), strncmp(const char *, const char *, size_t), strcasecmp(const char *, const char *);
int ffs(int); char *strerror(int);
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), *reallocarray(void *, size_t, size_t); void free(void *);
int posix_memalign(void **, size_t, size_t), abs(int), rand(void), atoi(const char *); long labs(long); div_t div(int, int);
long strtol(const char *, char **, int); double strtod(const char *, char **); char *getenv(const char *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int printf(const char *, ...), fprintf(FILE *, const char *, ...), sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...), sscanf(const char *, const char *, ...), puts(const char *), fputs(const char *, FILE *), getchar(void), fgetc(FILE *);
int fclose(FILE *), putchar(int), feof(FILE *); FILE *fopen(const char *, const char *); char *fgets(char *, int, FILE *), *gets(char *);
size_t fread(void *, size_t, size_t, FILE *), fwrite(const void *, size_t, size_t, FILE *);
int isalpha(int), isdigit(int), isspace(int), ispunct(int), isxdigit(int), tolower(int), toupper(int), toascii(int);
const unsigned short **__ctype_b_loc(void); const int **__ctype_tolower_loc(void); const int **__ctype_toupper_loc(void);
int *__errno_location(void);
double fabs(double), floor(double), ceil(double), trunc(double), round(double), rint(double), fmin(double, double), fmax(double, double);
double copysign(double, double), modf(double, double *), sqrt(double), fmod(double, double), sin(double); float floorf(float);
long double ceill(long double); long lround(double); double frexp(double, int *); int __fpclassify(double);
ssize_t read(int, void *, size_t), write(int, const void *, size_t); long time(long *);\n";

/// The model of a program that may use the library.
#[track_caller]
pub fn translate(source: &str, target: Target) -> Program {
    let (size, ssize) = if target == Target::Lp64 { ("unsigned long", "long") } else { ("unsigned int", "int") };
    let prototypes = PROTOTYPES.replace("__SIZE__", size).replace("__SSIZE__", ssize);
    let text = format!("{prototypes}# 1 \"test.c\"\n{source}");
    let options = frontend::Options { target, ..frontend::Options::default() };
    let translation = frontend::translate("test.c", text.as_bytes(), &options);
    translation.program.unwrap_or_else(|| panic!("{source}: {:?}", translation.diagnostics.list()))
}

/// The same with models.
#[track_caller]
pub fn linked(source: &str, target: Target) -> Program {
    let linked = library::link(translate(source, target)).unwrap_or_else(|error| panic!("{error}"));
    model::verify(&linked.program).unwrap_or_else(|flaws| panic!("{source}: {}", flaws[0]));
    linked.program
}

/// How a run ended: with a result, with a fault of a kind at a line, or in another way.
#[derive(Clone, PartialEq, Debug)]
#[allow(dead_code, reason = "the text is for messages")]
pub enum Outcome {
    Exit(i32),
    Fault(CheckKind, u32),
    Assumption,
    NoInput(u16),
    Other(String),
}

/// Runs a program with these answers to its questions.
pub fn run(program: &Program, answers: Vec<u128>) -> Outcome {
    run_with(program, answers, Policy::default())
}

/// The same under another policy.
pub fn run_with(program: &Program, answers: Vec<u128>, policy: Policy) -> Outcome {
    let mut missing = 0;
    let mut answers = answers.into_iter();
    let end = {
        let ask = |request: &interp::Request| {
            let answer = answers.next();
            if answer.is_none() {
                missing = request.bits;
            }
            answer
        };
        let inputs = Inputs { values: Values::Ask(Box::new(ask)), stdin: b"some input\n".to_vec(), ..Inputs::default() };
        let setup = Setup { inputs, policy, ..Setup::default() };
        Machine::new(program, setup).expect("the globals fit").run_main()
    };
    match end {
        End::Exit(code) => Outcome::Exit(code),
        End::Fault(fault) => {
            assert!(!program.is_library(fault.span), "{fault:?}");
            Outcome::Fault(fault.kind, fault.span.line)
        }
        End::Assumption(_) => Outcome::Assumption,
        End::NoInput(..) => Outcome::NoInput(missing),
        other => Outcome::Other(format!("{other:?}")),
    }
}

/// What a run with the interpreter's own library gives.
#[track_caller]
pub fn native(source: &str, target: Target) -> Outcome {
    run(&translate(source, target), Vec::new())
}

/// All outcomes of a program with models, for answers from small sets. Ends with an error if there are too many runs.
#[track_caller]
pub fn outcomes(source: &str, target: Target) -> Vec<Outcome> {
    let program = linked(source, target);
    let mut found = Vec::new();
    let mut pending = vec![Vec::new()];
    let mut runs = 0;
    while let Some(answers) = pending.pop() {
        runs += 1;
        assert!(runs < 20_000, "too many runs of {source}");
        match run(&program, answers.clone()) {
            Outcome::Assumption => {}
            Outcome::NoInput(bits) => {
                let numbers: &[i128] = match bits {
                    1 => &[0, 1],
                    8 => &[0, b'x' as i128],
                    _ => &[0, 1, 2, 3, 4, 5, 6, 7, -1],
                };
                pending.extend(numbers.iter().rev().map(|number| {
                    let mut longer = answers.clone();
                    longer.push(*number as u128);
                    longer
                }));
            }
            outcome if found.contains(&outcome) => {}
            outcome => found.push(outcome),
        }
    }
    found
}
