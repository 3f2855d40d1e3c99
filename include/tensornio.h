/*
 * TensorNIO in C: tensors without copies, and tensor comprehensions. docs/c.md is the guide.
 *
 * Every function may be called by any thread at any time, and refuses a NULL where it needs more. Where it can fail it returns a status, and
 * tensornio_last_error() has the reason; what it would have set, and all tensors, are as before then, unless the function says otherwise.
 * Threads that write elements which others read or write at the same time get any mixture of values.
 *
 * Made by cbindgen from rust/capi; not to be edited.
 */

#ifndef TENSORNIO_H
#define TENSORNIO_H

#include <stddef.h>
#include <stdint.h>

/**
 * The most axes that a tensor of this API has.
 */
#define TENSORNIO_MAX_RANK 64

/**
 * How a call ended: TENSORNIO_OK, or what kind of mistake there was. tensornio_last_error() says which.
 */
typedef int32_t tensornio_status;

/**
 * The type of a tensor's elements: one of the constants TENSORNIO_FLOAT to TENSORNIO_UINT8.
 */
typedef int32_t tensornio_dtype;

/**
 * A tensor. 0 is none; to be made by this library and given up by tensornio_tensor_release, by value.
 */
typedef struct tensornio_tensor {
    /**
     * A number that no other tensor has or had.
     */
    uint64_t id;
} tensornio_tensor;

/**
 * A program. 0 is none; to be made by this library and given up by tensornio_program_release, by value.
 */
typedef struct tensornio_program {
    /**
     * A number that no other program has or had.
     */
    uint64_t id;
} tensornio_program;

/**
 * All went well.
 */
#define TENSORNIO_OK 0

/**
 * An argument that no state would make right: a null pointer, a text, a shape or a type that makes no sense.
 */
#define TENSORNIO_ILLEGAL_ARGUMENT 1

/**
 * An element that lies outside of its tensor.
 */
#define TENSORNIO_INDEX_OUT_OF_BOUNDS 2

/**
 * A tensor or a program that was released, or never made.
 */
#define TENSORNIO_ILLEGAL_STATE 3

/**
 * A division of an integer by zero, or an integer to a negative power.
 */
#define TENSORNIO_ARITHMETIC 4

/**
 * Memory that the system, or the limit, does not have.
 */
#define TENSORNIO_OUT_OF_MEMORY 5

/**
 * A bug of this library.
 */
#define TENSORNIO_INTERNAL 6

/**
 * 32-bit IEEE 754 numbers: float.
 */
#define TENSORNIO_FLOAT 0

/**
 * 64-bit IEEE 754 numbers: double.
 */
#define TENSORNIO_DOUBLE 1

/**
 * 32-bit two's complement integers: int32_t.
 */
#define TENSORNIO_INT32 2

/**
 * 64-bit two's complement integers: int64_t.
 */
#define TENSORNIO_INT64 3

/**
 * Truth values, a byte each, 0 or 1.
 */
#define TENSORNIO_BOOL 4

/**
 * Unsigned 8-bit integers: uint8_t.
 */
#define TENSORNIO_UINT8 5

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * What was wrong with the last call of this thread that did not end with TENSORNIO_OK, in UTF-8; a line for each fault of a program. Empty if
 * there was none. Calls that succeed do not change it.
 *
 * The text is valid until the next call of this thread that fails, and not after the end of the thread. Never NULL.
 */
const char *tensornio_last_error(void);

/**
 * Makes a tensor of zeros: rank axes of the sizes in shape, in row-major order. shape may be NULL for rank 0, which is one element.
 *
 * @return TENSORNIO_ILLEGAL_ARGUMENT for an unknown dtype, a negative size, more than TENSORNIO_MAX_RANK axes, a NULL;
 * TENSORNIO_OUT_OF_MEMORY. result is set only if all went well.
 *
 * # Safety
 * `shape` leads to `rank` numbers; `result` to a place for a tensor.
 */
tensornio_status tensornio_tensor_create(tensornio_dtype dtype,
                                         size_t rank,
                                         const int64_t *shape,
                                         struct tensornio_tensor *result);

/**
 * Makes a tensor over memory of the caller, without a copy: the elements are in row-major order from data on. The memory has to stay until this
 * tensor and all views of it are released, and calls that use them have returned; the library never frees it.
 *
 * @return TENSORNIO_ILLEGAL_ARGUMENT as tensornio_tensor_create, for data that is not aligned to its elements, and if bytes is not their size.
 *
 * # Safety
 * `shape` leads to `rank` numbers, `result` to a place for a tensor, and `data` to `bytes` initialised bytes for reads and writes, which stay.
 */
tensornio_status tensornio_tensor_wrap(tensornio_dtype dtype,
                                       size_t rank,
                                       const int64_t *shape,
                                       void *data,
                                       size_t bytes,
                                       struct tensornio_tensor *result);

/**
 * Makes a tensor that shares its elements with another: element [i, j, ...] of the view is the one at `i * strides[0] + j * strides[1] + ...`
 * elements from the tensor's element [0, ..., 0], plus offset. That makes slices, transposes (strides in another order), flips (negative strides)
 * and repetitions (strides of 0) without a copy. Either may be released first: the memory goes with the last of them.
 *
 * @return TENSORNIO_INDEX_OUT_OF_BOUNDS if the memory of the tensor does not have all of these elements; TENSORNIO_ILLEGAL_ARGUMENT as
 * tensornio_tensor_create; TENSORNIO_ILLEGAL_STATE for a tensor that was released.
 *
 * # Safety
 * `shape` and `strides` lead to `rank` numbers each; `result` to a place for a tensor.
 */
tensornio_status tensornio_tensor_view(struct tensornio_tensor tensor,
                                       size_t rank,
                                       const int64_t *shape,
                                       const int64_t *strides,
                                       int64_t offset,
                                       struct tensornio_tensor *result);

/**
 * Copies all elements of a tensor to the caller's memory, in row-major order without gaps. bytes must be their size, and data must not lie in the
 * tensor's memory; it need not be aligned.
 *
 * @return TENSORNIO_ILLEGAL_ARGUMENT for another size, a NULL, data inside of the tensor's memory; TENSORNIO_ILLEGAL_STATE for a tensor that was
 * released. data is as before then.
 *
 * # Safety
 * `data` leads to `bytes` bytes for writes.
 */
tensornio_status tensornio_tensor_read(struct tensornio_tensor tensor,
                                       void *data,
                                       size_t bytes);

/**
 * Copies elements from the caller's memory, in row-major order without gaps, to all of a tensor. bytes must be their size, and data must not lie
 * in the tensor's memory; it need not be aligned. Where elements of a view share a place, the last one stays.
 *
 * @return As tensornio_tensor_read. The tensor is as before then.
 *
 * # Safety
 * `data` leads to `bytes` initialised bytes.
 */
tensornio_status tensornio_tensor_write(struct tensornio_tensor tensor,
                                        const void *data,
                                        size_t bytes);

/**
 * Releases a tensor. Its memory goes when no view of it is left and no call uses it any more; pointers from tensornio_tensor_data must not be used
 * after that. A tensor whose id is 0 is none, and nothing happens.
 *
 * @return TENSORNIO_ILLEGAL_STATE for a tensor that was released before, or never made.
 */
tensornio_status tensornio_tensor_release(struct tensornio_tensor tensor);

/**
 * The type of a tensor's elements.
 *
 * @return TENSORNIO_ILLEGAL_STATE for a tensor that was released; TENSORNIO_ILLEGAL_ARGUMENT for a NULL.
 *
 * # Safety
 * `dtype` leads to a place for the result.
 */
tensornio_status tensornio_tensor_dtype(struct tensornio_tensor tensor, tensornio_dtype *dtype);

/**
 * How many axes a tensor has.
 *
 * @return As tensornio_tensor_dtype.
 *
 * # Safety
 * `rank` leads to a place for the result.
 */
tensornio_status tensornio_tensor_rank(struct tensornio_tensor tensor, size_t *rank);

/**
 * The size of each axis. shape has room for capacity numbers, of which the first rank are set.
 *
 * @return As tensornio_tensor_dtype; TENSORNIO_ILLEGAL_ARGUMENT if capacity is less than the rank.
 *
 * # Safety
 * `shape` leads to `capacity` places.
 */
tensornio_status tensornio_tensor_shape(struct tensornio_tensor tensor, int64_t *shape, size_t capacity);

/**
 * How many elements there are in memory from one position of an axis to the next. strides has room for capacity numbers, of which the first rank
 * are set.
 *
 * @return As tensornio_tensor_shape.
 *
 * # Safety
 * `strides` leads to `capacity` places.
 */
tensornio_status tensornio_tensor_strides(struct tensornio_tensor tensor,
                                          int64_t *strides,
                                          size_t capacity);

/**
 * How many elements a tensor has: the product of its sizes.
 *
 * @return As tensornio_tensor_dtype.
 *
 * # Safety
 * `elements` leads to a place for the result.
 */
tensornio_status tensornio_tensor_elements(struct tensornio_tensor tensor, int64_t *elements);

/**
 * Where a tensor's element [0, ..., 0] is, aligned to its size: element [i, j, ...] is `i * strides[0] + j * strides[1] + ...` elements from there.
 * Never NULL; of a tensor without elements it leads to nothing. Valid until the tensor is released; nothing keeps a caller from using it afterwards.
 *
 * @return As tensornio_tensor_dtype.
 *
 * # Safety
 * `data` leads to a place for the result.
 */
tensornio_status tensornio_tensor_data(struct tensornio_tensor tensor,
                                       void **data);

/**
 * Makes a program of a text, such as `C[i,j] += A[i,k] * B[k,j]`, in UTF-8. docs/comprehensions.md has the language.
 *
 * @return TENSORNIO_ILLEGAL_ARGUMENT for a NULL, a text that is not in UTF-8, and one that makes no sense: the message has a line for each fault.
 * result is set only if all went well.
 *
 * # Safety
 * `text` leads to a text that ends with a zero; `result` to a place for a program.
 */
tensornio_status tensornio_program_parse(const char *text,
                                         struct tensornio_program *result);

/**
 * How many inputs a program has, and how many outputs.
 *
 * @return TENSORNIO_ILLEGAL_STATE for a program that was released; TENSORNIO_ILLEGAL_ARGUMENT for a NULL.
 *
 * # Safety
 * `inputs` and `outputs` lead to places for the results.
 */
tensornio_status tensornio_program_counts(struct tensornio_program program, size_t *inputs, size_t *outputs);

/**
 * The canonical text of a program; equal programs have equal texts. Valid until the program is released.
 *
 * @return As tensornio_program_counts.
 *
 * # Safety
 * `text` leads to a place for the result.
 */
tensornio_status tensornio_program_text(struct tensornio_program program, const char **text);

/**
 * The name of a program's input; they are in order of first appearance, from 0. Valid until the program is released.
 *
 * @return As tensornio_program_counts; TENSORNIO_INDEX_OUT_OF_BOUNDS if there are not so many.
 *
 * # Safety
 * `name` leads to a place for the result.
 */
tensornio_status tensornio_program_input_name(struct tensornio_program program, size_t index, const char **name);

/**
 * The name of a program's output, from 0. Valid until the program is released.
 *
 * @return As tensornio_program_input_name.
 *
 * # Safety
 * `name` leads to a place for the result.
 */
tensornio_status tensornio_program_output_name(struct tensornio_program program, size_t index, const char **name);

/**
 * Releases a program. Runs of it go on. A program whose id is 0 is none, and nothing happens.
 *
 * @return TENSORNIO_ILLEGAL_STATE for a program that was released before, or never made.
 */
tensornio_status tensornio_program_release(struct tensornio_program program);

/**
 * Runs a program. The outputs are new tensors, to be released by the caller; their types and shapes follow from those of the inputs.
 *
 * @return TENSORNIO_ILLEGAL_ARGUMENT for NULLs, other numbers of inputs and outputs than the program has, types and shapes that do not fit together;
 * TENSORNIO_ILLEGAL_STATE for a program or an input that was released; TENSORNIO_INDEX_OUT_OF_BOUNDS for a look-up outside of its tensor;
 * TENSORNIO_ARITHMETIC for an integer divided by zero; TENSORNIO_OUT_OF_MEMORY. Nothing was made then, and outputs is as before.
 *
 * # Safety
 * `inputs` leads to `input_count` tensors, `outputs` to places for `output_count` of them.
 */
tensornio_status tensornio_program_run(struct tensornio_program program,
                                       const struct tensornio_tensor *inputs,
                                       size_t input_count,
                                       struct tensornio_tensor *outputs,
                                       size_t output_count);

/**
 * Runs a program into tensors that are there, of the types and shapes that its outputs have. Views of parts will do.
 *
 * @return As tensornio_program_run; TENSORNIO_ILLEGAL_ARGUMENT, too, for an output of another type or shape, one with several elements at one
 * place, or one that shares memory with an input or another output: elements from its first to its last count. Nothing was written then; an error
 * that is found as the program runs, TENSORNIO_INDEX_OUT_OF_BOUNDS or TENSORNIO_ARITHMETIC, may leave outputs half written.
 *
 * # Safety
 * `inputs` and `outputs` lead to `input_count` and `output_count` tensors.
 */
tensornio_status tensornio_program_run_into(struct tensornio_program program,
                                            const struct tensornio_tensor *inputs,
                                            size_t input_count,
                                            const struct tensornio_tensor *outputs,
                                            size_t output_count);

/**
 * The version of the library, such as "0.1.0". Never NULL, valid as long as the library is loaded.
 */
const char *tensornio_version(void);

/**
 * Sets how many bytes all memory of the library may have, recycled memory included. Without a call there is no limit. Tensors that are there stay,
 * even if they have more. A Java virtual machine that has loaded the same library shares it.
 */
tensornio_status tensornio_set_max_memory(uint64_t bytes);

/**
 * How many bytes are in tensors that are not released.
 *
 * @return TENSORNIO_ILLEGAL_ARGUMENT for a NULL.
 *
 * # Safety
 * `bytes` leads to a place for the result.
 */
tensornio_status tensornio_live_bytes(uint64_t *bytes);

/**
 * Ends the threads of the library and gives recycled memory back to the system. To be called before dlclose() or FreeLibrary(), while no other
 * call runs; a program that ends need not. The next call that needs threads starts others.
 */
tensornio_status tensornio_quiesce(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TENSORNIO_H */
